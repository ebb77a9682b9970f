"""The environments of Gymnasium."""

import pickle
import subprocess
import sys
from copy import deepcopy
from typing import Any, cast

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.utils.seeding import np_random

import dicecup.envs
from dicecup.core.errors import ActionError, DicecupError, GameError, TurnCode
from dicecup.core.game import Position
from dicecup.envs.errors import EnvsCode, EnvsError, MissingPackageError
from dicecup.envs.gymnasium import GameEnv, PunishIllegal, YamMasterEnv, YammEnv
from dicecup.envs.yam_master import FIRST_MOVE
from dicecup.players import create
from dicecup.yam_master import ActionCode
from tests.envs.playing import copied, loaded

YAMM, YAM_MASTER = "Dicecup/Yamm-v0", "Dicecup/YamMaster-v0"
VARIANTS: list[tuple[str, dict[str, Any]]] = [
    (YAMM, {}),
    (YAMM, {"columns": "d1,u1,f1", "dtype": "uint8", "reward": "result"}),
    (YAMM, {"columns": ["f1"], "kept_dice": "locked", "reward": "luck-adjusted"}),
    (YAM_MASTER, {}),
    (YAM_MASTER, {"opponent": "random", "seat": "o", "dtype": "uint8", "reward": "points", "failed_defi": "ignored"}),
    (YAM_MASTER, {"opponent": "novice", "seat": "x", "reward": "luck-adjusted", "captured": "out", "end": "full_round"}),
]
variants = pytest.mark.parametrize("name,arguments", VARIANTS, ids=str)


def made(name: str, **arguments: Any) -> GameEnv:
    return cast(GameEnv, gymnasium.make(name, **arguments).unwrapped)


def play(env: Any, seed: int, steps: int = 10_000) -> list[tuple[int, float]]:
    """Play at random to the end, at most so many steps; return the actions and their rewards."""
    chance = np.random.default_rng(seed)
    _, info = env.reset(seed=seed)
    done = []
    for _ in range(steps):
        action = int(chance.choice(np.flatnonzero(info["action_mask"])))
        _, reward, terminated, truncated, info = env.step(action)
        done.append((action, float(reward)))
        if terminated or truncated:
            break
    return done


# --- Conformance ----------------------------------------------------------------------------------


@variants
@pytest.mark.filterwarnings("ignore:.*is different from the unwrapped version")
def test_gymnasium_accepts_the_environment(name: str, arguments: dict[str, Any]) -> None:
    """`check_env` draws actions without the mask, so illegal ones are punished here."""
    check_env(PunishIllegal(made(name, **arguments)))


@variants
def test_the_registered_environment_plays_to_its_end(name: str, arguments: dict[str, Any]) -> None:
    """With all the wrappers of `gymnasium.make`, which check every step."""
    env = gymnasium.make(name, **arguments)
    played = play(env, 1)
    assert len(played) > 10
    assert cast(GameEnv, env.unwrapped).position.turn is None


@variants
def test_a_seed_repeats_an_episode(name: str, arguments: dict[str, Any]) -> None:
    assert play(made(name, **arguments), 5, 40) == play(made(name, **arguments), 5, 40) != play(made(name, **arguments), 6, 40)


@variants
def test_a_pickled_environment_goes_on_alike(name: str, arguments: dict[str, Any]) -> None:
    env = made(name, **arguments)
    play(env, 3, 4)
    for copy in (copied(env), deepcopy(env)):
        again, original = deepcopy(copy), deepcopy(env)
        for _ in range(6):
            if not again.action_masks().any():
                break
            action = int(np.flatnonzero(again.action_masks())[-1])
            assert original.action_masks()[action]
            found, expected = again.step(action), original.step(action)
            assert np.array_equal(found[0], expected[0])
            assert found[1:4] == expected[1:4]


def test_vector_environments_work() -> None:
    envs = gymnasium.make_vec(YAMM, num_envs=3, vectorization_mode="sync", vector_kwargs={}, columns="f1")
    observations, infos = envs.reset(seed=4)
    assert observations.shape == (3, 11 + 1 + 1 + 2 + 18)
    for _ in range(20):
        actions = np.array([np.flatnonzero(mask)[0] for mask in infos["action_mask"]])
        observations, _, _, _, infos = envs.step(actions)
    envs.close()


# --- Games ----------------------------------------------------------------------------------------


def test_the_episode_is_a_game_of_one_sheet() -> None:
    env = made(YAMM, columns="d1,f1")
    played = play(env, 2)
    assert sum(reward for _, reward in played) == env.position.scores[0]
    assert env.position.number == 23


def replayed(env: GameEnv, seed: int, actions: list[int]) -> Position:
    """Return the end of the same episode, played by the rules alone: the random numbers of the
    seed, the level of the opponent, and the actions by their texts."""
    random, _ = np_random(seed)
    seat, computer = 0, None
    if isinstance(env, YamMasterEnv):
        seat = int(random.integers(2)) if env.seat == "lot" else "xo".index(env.seat)
        computer = create(env.opponent, str(random.integers(2**32)))
    texts = iter(env.encoding.texts[action] for action in actions)
    position = env.encoding.game.start()
    while position.turn is not None:
        if position.waiting:
            places = [shown for shown, weight in position.chances for _ in range(weight)]
            position = position.roll(places[int(random.integers(len(places)))].text)
        elif position.player == seat:
            position = position.play(next(texts))
        else:
            assert computer is not None
            position = position.play(str(computer.choose(position)))
    assert next(texts, None) is None
    return position


@variants
def test_an_episode_is_the_game_of_the_rules(name: str, arguments: dict[str, Any]) -> None:
    env = made(name, **arguments)
    for seed in (1, 2):
        actions = [action for action, _ in play(env, seed)]
        assert env.position == replayed(env, seed, actions)


def test_masks_reach_through_wrappers() -> None:
    """As sb3-contrib asks for them."""
    env = gymnasium.make(YAMM)
    _, info = env.reset(seed=1)
    masks = env.get_wrapper_attr("action_masks")()
    assert masks.dtype == np.bool_
    assert np.array_equal(masks, info["action_mask"].astype(bool))
    assert env.action_space.contains(np.flatnonzero(masks)[0])


def test_the_lot_gives_both_seats() -> None:
    env = YamMasterEnv("random")
    env.reset(seed=1)
    seats = set()
    for _ in range(20):
        env.reset()
        seats.add(env.player)
    assert seats == {0, 1}


def test_an_episode_is_truncated_after_the_largest_number_of_turns() -> None:
    env = YamMasterEnv("random", seat="x", max_turns=3)
    env.reset(seed=1)
    passing = FIRST_MOVE + 50
    assert env.step(passing)[2:4] == (False, False)
    *_, terminated, truncated, info = env.step(passing)
    assert (terminated, truncated) == (False, True)
    assert not info["action_mask"].any()
    assert env.position.number == 4


def test_render_shows_the_position() -> None:
    env = YammEnv("f1", render_mode="ansi")
    env.reset(seed=1)
    shown = env.render()
    assert shown is not None
    assert shown.splitlines()[-1] == str(env.position)
    assert YammEnv("f1").render_mode is None


def test_the_types_of_observations_agree() -> None:
    raw, scaled = YammEnv(dtype="uint8"), YammEnv()
    seen, other = raw.reset(seed=1)[0], scaled.reset(seed=1)[0]
    highs = np.frombuffer(raw.encoding.layout.highs, np.uint8)
    assert np.array_equal(other, (seen / highs).astype(np.float32))
    assert raw.observation_space.contains(seen)
    assert np.array_equal(cast(Any, raw.observation_space).high, highs)


# --- Bad input ------------------------------------------------------------------------------------


def test_an_illegal_action_is_named_and_changes_nothing() -> None:
    env = made(YAM_MASTER, seat="x")
    env.reset(seed=1)
    before, masks = env.position, env.action_masks()
    for text, code in (("-a1", ActionCode.NO_FIVE_EQUAL), ("k6666", TurnCode.NOT_THESE_DICE)):
        index = env.encoding.index_of(text)
        assert not masks[index]
        with pytest.raises(ActionError) as refused:
            env.step(index)
        assert (refused.value.code, str(refused.value.action)) == (code, text)
        assert env.position == before


def test_an_illegal_action_may_be_punished() -> None:
    env = PunishIllegal(made(YAMM), penalty=-5)
    first, _ = env.reset(seed=1)
    action = np.flatnonzero(~env.unwrapped.action_masks())[0]  # type: ignore[attr-defined]
    observation, reward, terminated, truncated, info = env.step(action)
    assert (reward, terminated, truncated) == (-5, False, False)
    assert info["illegal_action"] == "not-these-dice"
    assert np.array_equal(observation, first)
    with pytest.raises(EnvsError, match="not-an-index"):
        env.step(10**6)


@pytest.mark.parametrize("action", [-1, 309, 2.5, "d1.1", None])
def test_a_wrong_index_is_refused(action: Any) -> None:
    env = made(YAMM)
    env.reset(seed=1)
    with pytest.raises(EnvsError) as refused:
        env.step(action)
    assert refused.value.code is EnvsCode.NOT_AN_INDEX


@pytest.mark.parametrize("use", ["step", "action_masks", "render", "position"])
def test_an_environment_is_reset_first(use: str) -> None:
    env = YammEnv(render_mode="ansi")
    uses: dict[str, Any] = {
        "step": lambda: env.step(0),
        "action_masks": env.action_masks,
        "render": env.render,
        "position": lambda: env.position,
    }
    with pytest.raises(EnvsError) as refused:
        uses[use]()
    assert refused.value.code is EnvsCode.NOT_RESET


def test_a_finished_episode_takes_no_step() -> None:
    env = made(YAMM, columns="d1")
    play(env, 1)
    assert not env.action_masks().any()
    with pytest.raises(EnvsError) as refused:
        env.step(0)
    assert refused.value.code is EnvsCode.EPISODE_OVER


def test_a_seed_can_be_required() -> None:
    env = made(YAMM, require_seed=True)
    with pytest.raises(EnvsError) as refused:
        env.reset()
    assert refused.value.code is EnvsCode.NO_SEED
    env.reset(seed=1)
    env.reset()


def test_a_reset_without_a_seed_tells_the_seed() -> None:
    env, again = made(YAMM), made(YAMM)
    first, _ = env.reset()
    assert np.array_equal(again.reset(seed=env.np_random_seed)[0], first)


def test_a_pickle_of_another_version_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    env = made(YAMM)
    env.reset(seed=1)
    monkeypatch.setattr("dicecup.envs.arrays.VERSION", "0.0.1 (layout 0)")
    old = pickle.dumps(env)
    monkeypatch.undo()
    with pytest.raises(EnvsError) as refused:
        loaded(old)
    assert refused.value.code is EnvsCode.PICKLE_VERSION
    assert refused.value.details["version"] == "0.0.1 (layout 0)"
    with pytest.raises(EnvsError, match="pickle-version"):
        env.__setstate__("nonsense")


@pytest.mark.parametrize(
    "name,arguments,message",
    [
        (YAMM, {"columns": "d1,d1"}, "not-a-sheet"),
        (YAMM, {"columns": ""}, "not-a-sheet"),
        (YAMM, {"kept_dice": "glued"}, "option-value: option=kept_dice, value=glued"),
        (YAMM, {"reward": "wealth"}, "option-value: option=reward, value=wealth"),
        (YAMM, {"dtype": "float16"}, "option-value: option=dtype, value=float16"),
        (YAMM, {"render_mode": "hologram"}, "option-value: option=render_mode, value=hologram"),
        (YAM_MASTER, {"opponent": "champion"}, "option-value: option=opponent, value=champion"),
        (YAM_MASTER, {"seat": "north"}, "option-value: option=seat, value=north"),
        (YAM_MASTER, {"max_turns": 0}, "option-value: option=max_turns, value=0"),
    ],
)
def test_a_wrong_argument_is_named(name: str, arguments: dict[str, Any], message: str) -> None:
    kind = YammEnv if name == YAMM else YamMasterEnv
    with pytest.raises(GameError, match=message):
        kind(**arguments)


# --- Without the packages -------------------------------------------------------------------------

MISSING = """
import sys
sys.modules["{package}"] = None
import dicecup, dicecup.cli
from dicecup.core.errors import DicecupError
try:
    import dicecup.envs{module}
except ImportError as error:
    assert isinstance(error, DicecupError)
    print(error)
"""


@pytest.mark.parametrize("package,module", [("gymnasium", ""), ("pettingzoo", ".pettingzoo"), ("pyspiel", ".openspiel")])
def test_a_missing_package_is_named_with_its_extra(package: str, module: str) -> None:
    code = MISSING.format(package=package, module=module)
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True).stdout
    named = "open_spiel" if package == "pyspiel" else package
    assert shown == f"no-package: package={named}, install=pip install 'dicecup[envs]'\n"


def test_the_error_of_a_missing_package_can_be_pickled() -> None:
    error = MissingPackageError(package="gymnasium")
    assert isinstance(error, DicecupError)
    assert str(copied(error)) == str(error)


def test_an_id_may_name_the_package() -> None:
    """For tools that know an environment by its id alone."""
    assert isinstance(gymnasium.make(f"dicecup.envs:{YAMM}", columns="d1").unwrapped, YammEnv)


def test_the_package_says_what_it_is() -> None:
    assert {YAMM, YAM_MASTER} <= set(gymnasium.registry)
    assert dicecup.envs.__doc__
