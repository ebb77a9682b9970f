import pytest

from dicecup.core.errors import TextCode, TextError
from dicecup.record.match import MatchGame


@pytest.mark.parametrize("text", ["id 2/5", "club-2026 1/1", "Été 10/10"])
def test_a_tag_is_read_back(text: str) -> None:
    assert str(MatchGame.from_text(text)) == text


@pytest.mark.parametrize(
    "text", ["", "2/5", "id 6/5", "id 0/5", "id 02/5", "id 2/5 ", " 2/5", "a b 2/5", "id 2/0", "id ٢/5", "id 2-5"]
)
def test_another_text_is_refused(text: str) -> None:
    with pytest.raises(TextError) as refused:
        MatchGame.from_text(text)
    assert refused.value.code is TextCode.NOT_A_MATCH
