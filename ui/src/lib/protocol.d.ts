// Made of the server’s message models by `make protocol`. Not written by hand.

/**
 * What a decision was about. `dicecup.analysis.mistakes.themes` finds the theme of one.
 */
export type Theme =
  | 'first_keep'
  | 'second_keep'
  | 'two_pairs'
  | 'defi'
  | 'line'
  | 'blocking'
  | 'square'
  | 'column'
  | 'row'
  | 'high_low'
  | 'bonus'
  | 'striking'
  | 'correction';
/**
 * Why a person is reported.
 */
export type Reason = 'insult' | 'name' | 'stalling' | 'cheating' | 'other';
/**
 * What the others may claim when a person has left, or is too slow at a table without a
 * clock.
 */
export type Remedy = 'win' | 'draw' | 'computer';
/**
 * What a clock's time is for.
 */
export type ClockKind = 'turn' | 'game' | 'days';
/**
 * The result of a game or a pairing, for the entrant who has the first seat in the pairing.
 */
export type Result = 'won' | 'drawn' | 'lost' | 'neither';
/**
 * Where the dice of a tournament are thrown.
 */
export type DiceKind = 'server' | 'table' | 'results';
/**
 * Who throws the dice.
 */
export type DiceOf = 'server' | 'table';
/**
 * A quick phrase. Each person reads it in their own language. Event logs hold the values, so
 * none may be removed.
 */
export type Phrase =
  | 'hello'
  | 'good-luck'
  | 'good-throw'
  | 'bad-luck'
  | 'well-played'
  | 'thanks'
  | 'one-moment'
  | 'i-am-back'
  | 'good-game'
  | 'goodbye';
/**
 * A reaction on a throw. Event logs hold the values, so none may be removed.
 */
export type Reaction = 'bravo' | 'wow' | 'laugh' | 'ouch' | 'lucky';
/**
 * Who may enter people.
 */
export type Entries = 'open' | 'organiser';
/**
 * How entrants are paired.
 */
export type Format = 'swiss' | 'round-robin' | 'knock-out' | 'arena' | 'league';
/**
 * What decides between entrants with equal points; see `standings`.
 */
export type TieBreak = 'buchholz' | 'sonneborn-berger' | 'direct' | 'wins' | 'mean-loss';
/**
 * Who may take a seat: any person, or a computer at a level.
 */
export type Occupant = 'open' | 'level';
/**
 * How a result came about.
 */
export type Cause =
  'rules' | 'time' | 'resigned' | 'agreed' | 'left' | 'entered' | 'withdrawn' | 'deadline' | 'organiser' | 'lot';
/**
 * What a table waits for.
 */
export type PendingKind =
  'seats' | 'commitments' | 'seeds' | 'lot' | 'die' | 'throw' | 'dice' | 'action' | 'replacement' | 'nothing' | 'over';
/**
 * Why the others may claim against a person.
 */
export type Dicecup_Table_Permissions__Reason = 'offline' | 'slow';
/**
 * What the person does in a step.
 */
export type Does = 'read' | 'throw' | 'choose' | 'act' | 'move';
/**
 * Why a person is reported.
 */
export type Dicecup_Hosting_Reporting__Reason = 'insult' | 'name' | 'stalling' | 'cheating' | 'other';
/**
 * How a tournament ended.
 */
export type How = 'rounds' | 'time' | 'organiser' | 'cancelled';

export interface Protocol {
  [k: string]: unknown;
}
/**
 * Do an action of the game, given as its text. Corrections are actions.
 *
 * `hold`: seconds, at most 10, for which a computer that is next waits, so that the action can be
 * taken back. It has an effect only where all opponents are computers, the server throws the dice,
 * and the action ends a turn and cannot be corrected.
 */
export interface Act {
  action: string;
  seat?: number | null;
  hold?: number;
  type?: 'act';
}
/**
 * Enter a person without a device. Only an organiser may.
 *
 * `strength` orders the first round, the highest first; 0 if it is not known. At a table of the
 * server the organiser's device plays for the person.
 */
export interface AddEntrant {
  name: string;
  strength?: number;
  type?: 'add-entrant';
}
/**
 * Allow texts at this table, or no longer, for all seats of the person.
 */
export interface AllowTexts {
  allowed: boolean;
  seat?: number | null;
  type?: 'allow-texts';
}
/**
 * Accept or decline the draw that was offered.
 */
export interface AnswerDraw {
  accept: boolean;
  seat?: number | null;
  type?: 'answer-draw';
}
/**
 * Answers, also of other days, which a device sends when it is online again.
 */
export interface AnswerMistakes {
  /**
   * @maxItems 100
   */
  answers: MistakeAnswer[];
}
/**
 * The answer to a card on a day, and how many seconds it took. The first one on a day
 * counts.
 */
export interface MistakeAnswer {
  card: string;
  day: number;
  played: string;
  seconds: number;
}
/**
 * You have come to the `table` of your pair. Without it the pair is undone after ten
 * seconds.
 */
export interface Arrive {
  type: 'arrive';
  table: string;
}
/**
 * A position to analyse. With `alone` each sheet of Yamm is played by itself, for points, as in
 * a review.
 */
export interface AskAnalysis {
  game: string;
  position: string;
  alone?: boolean;
}
/**
 * A message to everybody until a time, in one language or several.
 */
export interface AskAnnouncement {
  until: number;
  texts: {
    [k: string]: string;
  };
}
/**
 * A ban of a person until a time, for a reason that the person reads.
 */
export interface AskBan {
  person: string;
  until: number;
  reason: string;
}
/**
 * A block of an address or of a network in CIDR form, until a time or for ever.
 */
export interface AskBlock {
  network: string;
  until?: number | null;
}
/**
 * Your entry to an event. `key`: that of the link to a pair or a table of four. A person with
 * an account enters under its handle.
 */
export interface AskEntry {
  name: string;
  key?: string | null;
}
/**
 * The invitation of a person to a table at which you sit.
 */
export interface AskInvitation {
  table: string;
  person: string;
}
/**
 * A point of a turn, with the options of `dicecup odds`.
 */
export interface AskOdds {
  game?: string;
  dice?: string | null;
  throws_left?: number | null;
  keep?: string | null;
  defi?: boolean;
}
/**
 * The wish to add a passkey. `handle`: that of the new account, for a person without one.
 */
export interface AskPasskey {
  handle?: string;
}
/**
 * A person.
 */
export interface AskPerson {
  person: string;
}
/**
 * The person whom you block: a `person` whom you have played, or who sits on a `seat` of a
 * `table` with you; one of both.
 */
export interface AskPersonBlock {
  person?: string | null;
  table?: string | null;
  seat?: number | null;
}
/**
 * A request for a decision to practise on. The same seed, number and difficulty give the same
 * decision. With `theme` it is about this theme and has any difficulty.
 */
export interface AskQuestion {
  game: string;
  seed: string;
  number: number;
  difficulty?: number;
  theme?: Theme | null;
}
/**
 * The person on a seat of a table is reported, or what was said with event number `event`; one
 * of both. The server attaches what it knows of the table, and the administrators read the
 * `remark`.
 */
export interface AskReport {
  table: string;
  seat?: number | null;
  event?: number | null;
  reason: Reason;
  remark?: string;
}
/**
 * What was done about a report.
 */
export interface AskResolution {
  note: string;
}
/**
 * The record of a finished game.
 */
export interface AskReview {
  record: string;
}
/**
 * A seat of a table, from 0.
 */
export interface AskSeat {
  seat: number;
}
/**
 * A position to show, or the position `after` an action in it.
 */
export interface AskShow {
  game: string;
  position: string;
  after?: string | null;
}
/**
 * A record or a position from which a game could go on. `game` is the name of a game; a record
 * names its own.
 */
export interface AskStart {
  game: string;
  start: string;
}
/**
 * A network that is blocked.
 */
export interface AskUnblock {
  network: string;
}
/**
 * The action that a person chooses. `before`: the answer to the question before this one.
 * `lenient`: a small loss is right, too, as in answers to own mistakes.
 */
export interface AskVerdict {
  game: string;
  position: string;
  difficulty: number;
  played: string;
  before?: GivenAnswer | null;
  lenient?: boolean;
}
/**
 * The answer to an earlier question.
 */
export interface GivenAnswer {
  difficulty: number;
  right: boolean;
}
/**
 * Cancel the tournament. Only an organiser may.
 */
export interface Cancel {
  type?: 'cancel';
}
/**
 * The end of the request. Who is paired already stays paired.
 */
export interface CancelSeek {
  type: 'cancel';
}
/**
 * Another handle of your account, and who may see its profile.
 */
export interface ChangeAccount {
  handle: string;
  public: boolean;
}
/**
 * Whether your address gets one mail a day instead of single ones, and the language of its
 * mails. What is left out stays.
 */
export interface ChangedMail {
  daily?: boolean | null;
  language?: string | null;
}
/**
 * Claim a win, a draw or a computer at a `level` when the pending person has left, or is too
 * slow at a table without a clock.
 */
export interface Claim {
  what: Remedy;
  level?: string;
  seat?: number | null;
  type?: 'claim';
}
/**
 * A clock of `seconds` for each turn or for a game, with an `increment` for each turn.
 *
 * Raises `TableError` (`not-a-clock`).
 */
export interface Clock {
  kind: ClockKind;
  seconds: number;
  increment?: number;
}
/**
 * Commit to a seed with its SHA-256 in lower-case hex, before any seed is revealed.
 */
export interface CommitSeed {
  hash: string;
  seat?: number | null;
  type?: 'commit-seed';
}
/**
 * Replace the result of a pairing for the reason in `remark`. Only an organiser may.
 */
export interface Correct {
  pairing: number;
  result: Result;
  remark: string;
  type?: 'correct';
}
/**
 * Delete the running round, which must have no results, for the reason in `remark`. A loss by
 * withdrawal is none. Only an organiser may.
 */
export interface DeleteRound {
  round: number;
  remark: string;
  type?: 'delete-round';
}
/**
 * A finished game that was played on a device without the server.
 *
 * `table`: the id of the table on the device, under which the game joins once. `created`: when it
 * began, in seconds since 1970.
 */
export interface DeviceGame {
  table: string;
  record: string;
  created: number;
}
/**
 * A command.
 *
 * `id` is chosen by the client. A command with a known `id` is answered again, not handled again.
 * `version` is the number of the view that the client saw.
 */
export interface Do {
  type: 'command';
  id: string;
  version: number;
  command:
    | Sit
    | StandUp
    | SeatComputer
    | FreeSeat
    | RotateLinks
    | SetAdmission
    | CommitSeed
    | RevealSeed
    | Throw
    | EnterDice
    | EnterDie
    | Act
    | TakeBack
    | Resign
    | Replace
    | EndGame
    | OfferDraw
    | AnswerDraw
    | Claim
    | Rematch
    | Say
    | React
    | Write
    | AllowTexts;
}
/**
 * Take the named seat or the first free one.
 */
export interface Sit {
  name: string;
  seat?: number | null;
  type?: 'sit';
}
/**
 * Leave a seat before all seats are taken. The table closes when the last person leaves.
 */
export interface StandUp {
  seat?: number | null;
  type?: 'stand-up';
}
/**
 * Let a computer take a free seat.
 */
export interface SeatComputer {
  level: string;
  free?: number | null;
  seat?: number | null;
  type?: 'seat-computer';
}
/**
 * Take a seat back from its person, before the game or when the others may claim against it.
 *
 * Only the owner of the table may. The links of the table change. In a running game the seat keeps
 * its place, and another person may take it.
 */
export interface FreeSeat {
  taken: number;
  seat?: number | null;
  type?: 'free-seat';
}
/**
 * Give the table new links. The old ones stop working. Only the owner of the table may.
 */
export interface RotateLinks {
  seat?: number | null;
  type?: 'rotate-links';
}
/**
 * Close the table to newcomers, or open it again. Only the owner of the table may.
 *
 * While it is closed, its links open nothing: only people who sit there see it.
 */
export interface SetAdmission {
  admits: boolean;
  seat?: number | null;
  type?: 'set-admission';
}
/**
 * Reveal the seat's seed, 16 to 32 bytes in lower-case hex.
 *
 * All seats must have committed first.
 */
export interface RevealSeed {
  seed: string;
  seat?: number | null;
  type?: 'reveal-seed';
}
/**
 * Throw the server's dice for the first throw of a turn.
 *
 * A keep throws the other dice by itself. A person for whose action a computer waits may let the
 * computer throw.
 */
export interface Throw {
  seat?: number | null;
  type?: 'throw';
}
/**
 * Enter what real dice show, in any order: `61143`.
 *
 * `22|643`: a locked die was knocked over. `~`: the throw was void.
 */
export interface EnterDice {
  dice: string;
  seat?: number | null;
  type?: 'enter-dice';
}
/**
 * Enter what the single real die shows that decides who starts.
 */
export interface EnterDie {
  face: number;
  seat?: number | null;
  type?: 'enter-die';
}
/**
 * Take back the last entry at a table with real dice, or the last action of a turn for which
 * a computer was told to wait, before that computer throws.
 *
 * Only the person who made it can take it back.
 */
export interface TakeBack {
  seat?: number | null;
  type?: 'take-back';
}
/**
 * Give the game up.
 *
 * With three sides or more the others go on. A game without opponents, or before it is known who
 * starts, is abandoned.
 */
export interface Resign {
  seat?: number | null;
  type?: 'resign';
}
/**
 * Let a computer play on at this level for the seat that gave up.
 */
export interface Replace {
  level: string;
  seat?: number | null;
  type?: 'replace';
}
/**
 * Agree to end the game after a seat gave up.
 *
 * The game ends once all people who remain agree.
 */
export interface EndGame {
  seat?: number | null;
  type?: 'end-game';
}
/**
 * Offer a draw to all other people.
 */
export interface OfferDraw {
  seat?: number | null;
  type?: 'offer-draw';
}
/**
 * Ask for another game. It begins at a table of its own once all people have asked for it.
 */
export interface Rematch {
  seat?: number | null;
  type?: 'rematch';
}
/**
 * Say a quick phrase.
 */
export interface Say {
  phrase: Phrase;
  seat?: number | null;
  type?: 'say';
}
/**
 * React on one of the last throws, given as the number of its event.
 */
export interface React {
  reaction: Reaction;
  throw: number;
  seat?: number | null;
  type?: 'react';
}
/**
 * Write a text of 1 to 200 visible characters. All people must allow texts.
 */
export interface Write {
  text: string;
  seat?: number | null;
  type?: 'write';
}
/**
 * The event whose dice fall at a table.
 *
 * `practice`: the game is played after the end of the event, when everybody can know the dice, and
 * does not count. Raises `TableError` (`not-a-setup`) for a text that is not the id of an event.
 */
export interface Duplicate {
  event: string;
  practice?: boolean;
}
/**
 * Enter the tournament under a name.
 */
export interface Enter {
  name: string;
  type?: 'enter';
}
/**
 * Enter the result of a game with real dice, as the pairing's first entrant sees it.
 *
 * `points` of the first and second entrant, or empty. An organiser and both entrants may.
 */
export interface EnterResult {
  pairing: number;
  game: number;
  result: Result;
  points?: number[];
  type?: 'enter-result';
}
/**
 * End the tournament with the standings as they are. Only an organiser may.
 */
export interface Finish {
  type?: 'finish';
}
/**
 * Decide a pairing that has no result yet, without the rest of its games. Only an organiser
 * may.
 */
export interface Forfeit {
  pairing: number;
  result: Result;
  type?: 'forfeit';
}
/**
 * What was played on a device without the server since event `since` of a table.
 *
 * `device`: the id of the table on the device. Its dice follow from `secret`, whose SHA-256 is
 * `commitment`; both are empty for real dice. `steps`: the throws and actions in their order with
 * commas between them, always from the first one on. `resigned`: you gave the game up after them.
 */
export interface HandBack {
  device: string;
  since: number;
  commitment: string;
  secret: string;
  steps: string;
  resigned: boolean;
}
/**
 * The first message.
 *
 * `since`: the number of the last event that the client has; the first update then has the later
 * events. `key`: the key of a link, for people without a seat. `language` of the sentences in
 * refusals, by default that of the handshake's `Accept-Language`, which pages cannot set.
 */
export interface Hello {
  type: 'hello';
  since?: number | null;
  key?: string | null;
  language?: ('de' | 'en' | 'fr') | null;
}
/**
 * Message from a client.
 */
export interface Incoming {}
/**
 * What the lobby says of a public table besides its setup: the wished `level` of opponents,
 * which may be empty.
 */
export interface Listing {
  level?: string;
}
/**
 * The first message. `language` of the sentences in refusals, by default that of the
 * handshake's `Accept-Language`, which pages cannot set.
 */
export interface LobbyHello {
  type: 'hello';
  language?: ('de' | 'en' | 'fr') | null;
}
/**
 * The token of a link in a mail, which follows the `#` and the `=`.
 */
export interface MailToken {
  token: string;
}
/**
 * The games of a match before this one.
 *
 * `match` is the id of the first game's table, `number` that of this game.
 *
 * `standing` is what the earlier games brought each side, in seating order: games won, or added
 * totals.
 */
export interface MatchSoFar {
  match: string;
  number: number;
  standing: number[];
}
/**
 * Make the person with an account an organiser. Only an organiser may.
 */
export interface NameOrganiser {
  handle: string;
  type?: 'name-organiser';
}
/**
 * Another name of a passkey.
 */
export interface NamePasskey {
  name: string;
}
/**
 * A seat that the creator of a table takes, and the name on it.
 */
export interface NamedSeat {
  seat: number;
  name: string;
}
/**
 * A new account. Everybody may see the profile of a `public` one. `name` is that of the
 * passkey.
 */
export interface NewAccount {
  handle: string;
  public?: boolean;
  name?: string;
  /**
   * The answer of `navigator.credentials`, as `toJSON()` returns it
   */
  credential: {
    [k: string]: unknown;
  };
}
/**
 * A pair of duels or a table of four, and your name in it. `game`: a game of two players.
 * `rated`: its games together change the ratings of its people.
 */
export interface NewEvent {
  kind: 'pair' | 'four';
  game: string;
  clock?: Clock | null;
  rated?: boolean;
  name: string;
}
/**
 * A mail address, whether it gets one mail a day instead of single ones, and the language of
 * the mails; without one that of the request.
 */
export interface NewMail {
  address: string;
  daily?: boolean;
  language?: string | null;
}
/**
 * A further passkey of your account.
 */
export interface NewPasskey {
  name?: string;
  /**
   * The answer of `navigator.credentials`, as `toJSON()` returns it
   */
  credential: {
    [k: string]: unknown;
  };
}
/**
 * A new account to which the login of a ticket signs in. Everybody may see the profile of a
 * `public` one.
 */
export interface NewProviderAccount {
  ticket: string;
  page: string;
  handle: string;
  public?: boolean;
}
/**
 * The push subscription of a browser (`PushSubscription`), and the language of its messages;
 * without one that of the request.
 */
export interface NewPush {
  endpoint: string;
  keys: PushKeys;
  language?: string | null;
}
/**
 * The keys of a push subscription, in base64url.
 */
export interface PushKeys {
  p256dh: string;
  auth: string;
}
/**
 * A new table. Its creator sits down as `name` on the first open seat, or on all of `seats`.
 */
export interface NewTable {
  setup: Setup;
  name?: string;
  /**
   * @maxItems 16
   */
  seats?:
    | []
    | [NamedSeat]
    | [NamedSeat, NamedSeat]
    | [NamedSeat, NamedSeat, NamedSeat]
    | [NamedSeat, NamedSeat, NamedSeat, NamedSeat]
    | [NamedSeat, NamedSeat, NamedSeat, NamedSeat, NamedSeat]
    | [NamedSeat, NamedSeat, NamedSeat, NamedSeat, NamedSeat, NamedSeat]
    | [NamedSeat, NamedSeat, NamedSeat, NamedSeat, NamedSeat, NamedSeat, NamedSeat]
    | [NamedSeat, NamedSeat, NamedSeat, NamedSeat, NamedSeat, NamedSeat, NamedSeat, NamedSeat]
    | [NamedSeat, NamedSeat, NamedSeat, NamedSeat, NamedSeat, NamedSeat, NamedSeat, NamedSeat, NamedSeat]
    | [NamedSeat, NamedSeat, NamedSeat, NamedSeat, NamedSeat, NamedSeat, NamedSeat, NamedSeat, NamedSeat, NamedSeat]
    | [
        NamedSeat,
        NamedSeat,
        NamedSeat,
        NamedSeat,
        NamedSeat,
        NamedSeat,
        NamedSeat,
        NamedSeat,
        NamedSeat,
        NamedSeat,
        NamedSeat
      ]
    | [
        NamedSeat,
        NamedSeat,
        NamedSeat,
        NamedSeat,
        NamedSeat,
        NamedSeat,
        NamedSeat,
        NamedSeat,
        NamedSeat,
        NamedSeat,
        NamedSeat,
        NamedSeat
      ]
    | [
        NamedSeat,
        NamedSeat,
        NamedSeat,
        NamedSeat,
        NamedSeat,
        NamedSeat,
        NamedSeat,
        NamedSeat,
        NamedSeat,
        NamedSeat,
        NamedSeat,
        NamedSeat,
        NamedSeat
      ]
    | [
        NamedSeat,
        NamedSeat,
        NamedSeat,
        NamedSeat,
        NamedSeat,
        NamedSeat,
        NamedSeat,
        NamedSeat,
        NamedSeat,
        NamedSeat,
        NamedSeat,
        NamedSeat,
        NamedSeat,
        NamedSeat
      ]
    | [
        NamedSeat,
        NamedSeat,
        NamedSeat,
        NamedSeat,
        NamedSeat,
        NamedSeat,
        NamedSeat,
        NamedSeat,
        NamedSeat,
        NamedSeat,
        NamedSeat,
        NamedSeat,
        NamedSeat,
        NamedSeat,
        NamedSeat
      ]
    | [
        NamedSeat,
        NamedSeat,
        NamedSeat,
        NamedSeat,
        NamedSeat,
        NamedSeat,
        NamedSeat,
        NamedSeat,
        NamedSeat,
        NamedSeat,
        NamedSeat,
        NamedSeat,
        NamedSeat,
        NamedSeat,
        NamedSeat,
        NamedSeat
      ];
}
/**
 * The setup of a table.
 *
 * `game` is the game's id. `seats` are in seating order, as many as the game has players. `games`
 * is the length of the match. `writers` are seats of Yamm's pairs that write for both partners.
 * `first` is the seat that is x in Yam Master, `None` for the lot. `start` is the record or the
 * position from which the game goes on; the seats are then in the order of play. `so_far` belongs
 * to the later games of a match. `listing` makes the table public: the lobby lists its open seats.
 * `rated`: the game changes the ratings of its people on a server. The server throws its dice from
 * the first turn on, and nothing helps in it, also against computers alone.
 * `duplicate`: the dice are those of a duplicate event. Nobody is x by lot then.
 *
 * Raises `GameError`; `TableError`: `not-a-setup` for real dice without people, for an impossible
 * match, or for a game that cannot be rated, `wrong-number-of-seats`, `not-a-level`,
 * `not-a-writer`, `not-a-clock`, `not-a-number-of-games`, `no-such-seat`, `not-a-start`; and for a
 * faulty start `RecordError`, `TextError`, `PositionError`.
 */
export interface Setup {
  game: string;
  seats: SeatSetup[];
  /**
   * Who throws the dice.
   */
  dice?: 'server' | 'table';
  clock?: Clock | null;
  games?: number;
  writers?: number[];
  first?: number | null;
  start?: string;
  so_far?: MatchSoFar | null;
  listing?: Listing | null;
  rated?: boolean;
  duplicate?: Duplicate | null;
}
/**
 * A seat that is open for a person, or taken by a computer at a `level`.
 */
export interface SeatSetup {
  /**
   * Who may take a seat: any person, or a computer at a level.
   */
  kind?: 'open' | 'level';
  level?: string;
}
/**
 * A new tournament. Who creates it is its organiser.
 */
export interface NewTournament {
  setup: TournamentSetup;
}
/**
 * The setup of a tournament.
 *
 * - `game`: the id of a game for two. `clock` and `dice`: as at its tables.
 * - `duplicate`: the same dice fall at all tables in the same game of a round. Nobody watches
 *   these tables before the end of the round.
 * - `best_of`: games of a pairing. A pairing ends when nobody can catch up. A knock-out goes on
 *   until one entrant leads.
 * - `rounds` of a Swiss tournament. `cycles`: how often all meet in a round robin or a league.
 * - `seconds`: the length of an arena, and otherwise the time from the start of a round to its
 *   deadline, 0 for none. Pairings without a result are lost by both at the deadline.
 * - `pause`: seconds from the end of a round to the next, which then begins by itself; `None`: an
 *   organiser begins it. In a league the next round begins at the deadline at the latest.
 * - `starts`: when the first round begins by itself, in seconds since 1970; `None`: by hand.
 * - `late_rounds`: people may enter until this many rounds have begun. An arena stays open.
 * - `bye`: half points for a bye.
 * - `tie_breaks`: empty for those of the format.
 * - `rated`: the games change the ratings of their people, who need accounts where the server asks
 *   for it.
 * - `most`: the most entrants. `listed`: whether the lobby lists the tournament.
 *
 * Raises `GameError`, `TableError` (`not-a-clock`) and `TournamentError` (`not-a-tournament`, with
 * the field as `text`).
 */
export interface TournamentSetup {
  name: string;
  format: Format;
  game: string;
  /**
   * Where the dice of a tournament are thrown.
   */
  dice?: 'server' | 'table' | 'results';
  clock?: Clock | null;
  duplicate?: boolean;
  best_of?: number;
  rounds?: number;
  cycles?: number;
  seconds?: number;
  pause?: number | null;
  starts?: number | null;
  late_rounds?: number;
  bye?: number;
  tie_breaks?: TieBreak[];
  /**
   * Who may enter people.
   */
  entries?: 'open' | 'organiser';
  most?: number;
  listed?: boolean;
  rated?: boolean;
}
/**
 * A request for a pong, for clients that cannot send the ping of the WebSocket protocol.
 */
export interface Ping {
  type: 'ping';
}
/**
 * What the provider sent the page back with, and the secret of the page.
 */
export interface ProviderAnswer {
  code: string;
  state: string;
  iss?: string | null;
  page: string;
}
/**
 * A ticket, and the secret of the page that got it.
 */
export interface ProviderTicket {
  ticket: string;
  page: string;
}
/**
 * Hours in which nothing is sent: minutes since midnight in a time zone of IANA. Equal ones:
 * never.
 */
export interface Quiet {
  zone: string;
  begins?: number;
  ends?: number;
}
/**
 * The secret of a transfer link.
 */
export interface Redeem {
  secret: string;
}
/**
 * Be paired again after withdrawing. An organiser may name another `entrant`.
 */
export interface Return {
  entrant?: number | null;
  type?: 'return';
}
/**
 * Let the next round begin by itself at a time (seconds since 1970), with `None` by hand. Only
 * an organiser may.
 */
export interface ScheduleRound {
  at: number | null;
  type?: 'schedule-round';
}
/**
 * A request for an opponent.
 *
 * `id` is chosen by the client. A request with a known `id` is not a new one. People are paired
 * who want the same `game` and `clock`; the options in the game id and `rated` are wishes. The
 * game is rated if both want that. `name` is that of a person without an account.
 */
export interface SeekOpponent {
  type: 'seek';
  id: string;
  game: string;
  clock?: Clock | null;
  rated?: boolean;
  name: string;
}
/**
 * A command over HTTP, with the members of a command over the WebSocket.
 */
export interface Send {
  id: string;
  version: number;
  command:
    | Sit
    | StandUp
    | SeatComputer
    | FreeSeat
    | RotateLinks
    | SetAdmission
    | CommitSeed
    | RevealSeed
    | Throw
    | EnterDice
    | EnterDie
    | Act
    | TakeBack
    | Resign
    | Replace
    | EndGame
    | OfferDraw
    | AnswerDraw
    | Claim
    | Rematch
    | Say
    | React
    | Write
    | AllowTexts;
}
/**
 * A command for a tournament.
 *
 * `id` is chosen by the client. A command with a known `id` is answered again, not handled again.
 * `version` is the number of the view that the client saw.
 */
export interface SendToTournament {
  id: string;
  version: number;
  command:
    | Enter
    | AddEntrant
    | Withdraw
    | Return
    | StartRound
    | ScheduleRound
    | EnterResult
    | Forfeit
    | Correct
    | DeleteRound
    | NameOrganiser
    | Finish
    | Cancel;
}
/**
 * Be paired no more. An organiser may name another `entrant`.
 */
export interface Withdraw {
  entrant?: number | null;
  type?: 'withdraw';
}
/**
 * Start the next round. Only an organiser may.
 */
export interface StartRound {
  type?: 'start-round';
}
/**
 * Whether people whom you have played see when you are in the lobby.
 */
export interface ShowOnline {
  shows: boolean;
}
/**
 * A recovery code, in capitals or not, with or without hyphens.
 */
export interface SignInCode {
  code: string;
}
/**
 * The answer of a passkey to a challenge.
 */
export interface SignInPasskey {
  /**
   * The answer of `navigator.credentials`, as `toJSON()` returns it
   */
  credential: {
    [k: string]: unknown;
  };
}
/**
 * The first message. `language` of the sentences in refusals, by default that of the
 * handshake's `Accept-Language`, which pages cannot set.
 */
export interface TournamentHello {
  type: 'hello';
  language?: ('de' | 'en' | 'fr') | null;
}
/**
 * A passkey. Times are seconds since 1970.
 */
export interface AccountPasskey {
  id: string;
  name: string;
  created: number;
  used: number | null;
}
/**
 * Your account, null without one. `accounts`: whether this server requires one for tables;
 * `provider`: the name of the provider with which people may sign in, null without one; `admin`:
 * whether you are an administrator.
 */
export interface AccountState {
  account: OwnAccount | null;
  accounts: 'optional' | 'required';
  provider: string | null;
  admin: boolean;
}
/**
 * Your account. `codes`: recovery codes that are left; `provider`: whether you can sign in with
 * the provider of this server.
 */
export interface OwnAccount {
  handle: string;
  created: number;
  public: boolean;
  passkeys: AccountPasskey[];
  codes: number;
  provider: boolean;
}
/**
 * A seat did an action or a correction.
 *
 * A computer that is next waits `hold` seconds. Until its throw the action can be taken back.
 */
export interface ActedEvent {
  number: number;
  time: number;
  seat: number;
  action: string;
  hold: number;
  type: 'acted';
}
/**
 * The administrator who asks, the time of the server, and the number of open reports.
 */
export interface Administration {
  you: string;
  now: number;
  open_reports: number;
}
/**
 * The table was closed to newcomers, or opened again (`admits`).
 */
export interface AdmissionSetEvent {
  number: number;
  time: number;
  admits: boolean;
  type: 'admission-set';
}
/**
 * The message that is shown now, if there is one.
 */
export interface Announced {
  announcement: Announcement | null;
}
/**
 * A message of the host to everybody, by language. A client shows a `number` once.
 */
export interface Announcement {
  number: number;
  since: number;
  until: number;
  texts: {
    [k: string]: string;
  };
}
/**
 * The day on which each answered card returns. Answers to unknown cards are left out.
 */
export interface AnsweredMistakes {
  due: {
    [k: string]: number;
  };
}
/**
 * A page of your finished games, the newest first. `next`: where the next page begins, null
 * after the last one.
 */
export interface Archive {
  games: ArchivedGame[];
  next: string | null;
}
/**
 * A finished game. `you`: the seats of the person; `created`: seconds since 1970; `on_device`:
 * it was played on a device without the server.
 */
export interface ArchivedGame {
  table: string;
  game: string;
  created: number;
  outcome: ('won' | 'drawn' | 'lost') | null;
  on_device: boolean;
  you: number[];
  summary: {
    [k: string]: unknown;
  };
}
/**
 * An entry of the audit log. `operator` is an identity, or a user of the operating system. A
 * `subject` may have several lines.
 */
export interface AuditLine {
  number: number;
  time: number;
  command: string;
  subject: string;
  operator: string;
  outcome: string;
}
/**
 * Entries of the audit log, the newest first. `more`: there are earlier ones; ask `before` the
 * last `number`.
 */
export interface AuditLog {
  entries: AuditLine[];
  more: boolean;
}
/**
 * A ban.
 */
export interface BanOfPerson {
  since: number;
  until: number;
  reason: string;
}
/**
 * The address at the provider, and the secret `page`, which stays in the page that asked: no
 * other one can go on.
 */
export interface BegunSignIn {
  url: string;
  page: string;
}
/**
 * A blocked network. `until` is null for ever.
 */
export interface BlockedNetwork {
  network: string;
  until: number | null;
}
/**
 * The networks that are blocked now.
 */
export interface Blocks {
  blocks: BlockedNetwork[];
}
/**
 * The game of another table goes on at this table, on a device: of the table `table`, after
 * its event `number`.
 *
 * `order` is the order of play, `counter` the number of throws so far, `seeds` the seeds of the
 * seats in hex. `lot` and `rounds` decided who starts.
 */
export interface BroughtOverEvent {
  number: number;
  time: number;
  table: string;
  order: number[];
  counter: number;
  seeds: string[];
  lot: number | null;
  rounds: number[][];
  type: 'brought-over';
}
/**
 * A view after an update. Missing members have not changed.
 */
export interface Change {
  table: string;
  number: number;
  now: number;
  game: string;
  dice_of: DiceOf;
  you: number[];
  seats: SeenSeat[];
  order: number[];
  demand: SeenDemand;
  turn: SeenTurn | null;
  position: string;
  actions: SeenAction[];
  /**
   * The types of the commands that these seats may send now
   */
  may: string[];
  portable: boolean;
  starting: SeenStart | null;
  clock: SeenClock | null;
  rated: boolean;
  draw: SeenDraw | null;
  owner: number | null;
  links: number;
  admits: boolean;
  vacancy: SeenVacancy | null;
  claim: SeenClaim | null;
  match: SeenMatch | null;
  fairness: SeenFairness | null;
  duplicate: SeenDuplicate | null;
  result: SeenResult | null;
  next: string | null;
  running: string[];
  throw: SeenThrow | null;
  texts: number[];
  board?: SeenBoard | null;
  sheets?: SeenSheet[] | null;
  corrections?: SeenAction[] | null;
  history?: string[] | null;
  talk?: SeenLine[] | null;
}
/**
 * A seat.
 *
 * `called`: the name of its player in the record from which the game goes on. `place` in the order
 * of play and `side` (x, o, or the sheet) are null until the order of play is known.
 */
export interface SeenSeat {
  seat: number;
  name: string;
  kind: 'person' | 'computer' | 'free';
  level: string;
  called: string;
  place: number | null;
  side: number | null;
  away_since: number | null;
  time_left: number | null;
  wants_rematch: boolean;
}
/**
 * What the table waits for.
 *
 * `seats` can act. The clock of the seat `clock` runs `since` a time until the `deadline`.
 */
export interface SeenDemand {
  what: PendingKind;
  seats: number[];
  clock: number | null;
  since: number | null;
  deadline: number | null;
}
/**
 * The current turn. While dice are in the air, `dice` holds the kept ones.
 */
export interface SeenTurn {
  number: number;
  round: number;
  seat: number;
  writer: number | null;
  throws: number;
  throws_left: number;
  dice: number[];
  waiting: boolean;
  locked: number[];
  defi: boolean;
}
/**
 * A legal action as a text of docs/notation.md, and its effect (docs/protocol.md).
 */
export interface SeenAction {
  action: string;
  effect: {
    [k: string]: unknown;
  };
}
/**
 * How the first player is found: the face of the lot, or the rounds of the starting roll and
 * the seat that throws next.
 */
export interface SeenStart {
  lot: number | null;
  rounds: number[][];
  seat: number | null;
}
/**
 * The clock that the players agreed on.
 */
export interface SeenClock {
  kind: ClockKind;
  seconds: number;
  increment: number;
}
/**
 * An offered draw and the seats that agreed.
 */
export interface SeenDraw {
  seat: number;
  agreed: number[];
}
/**
 * A seat that gave up while the game goes on, and the seats that agree to end the game
 * instead.
 */
export interface SeenVacancy {
  seat: number;
  agreed: number[];
}
/**
 * The seat that the table waits for, and the time from which the others may claim against it:
 * because its person is offline, or takes too long for a turn at a table without a clock.
 */
export interface SeenClaim {
  seat: number;
  at: number;
  reason: Dicecup_Table_Permissions__Reason;
}
/**
 * The number of the game in its match, and the standing of each side.
 */
export interface SeenMatch {
  match: string;
  game: number;
  games: number;
  standing: number[];
}
/**
 * The values that verify the dice (docs/fairness.md).
 */
export interface SeenFairness {
  commitment: string;
  earlier: string[];
  seats: SeenSeed[];
  throws: number;
  secret: string | null;
}
/**
 * The commitment of a seat and its revealed seed.
 */
export interface SeenSeed {
  hash: string | null;
  seed: string | null;
}
/**
 * The duplicate event whose dice fall at the table. `practice`: after its end.
 */
export interface SeenDuplicate {
  event: string;
  practice: boolean;
}
/**
 * How the game ended.
 */
export interface SeenResult {
  end: string;
  result: string;
  winners: number[];
}
/**
 * The last throw, on which people may react: the number of its event, its seat and its text.
 */
export interface SeenThrow {
  number: number;
  seat: number;
  dice: string;
}
/**
 * The board of Yam Master.
 *
 * By side, `x` and `o`: supplies, points, the runs that score, and the threats. `winning`: the
 * lines of five.
 */
export interface SeenBoard {
  squares: SeenSquare[];
  supplies: {
    [k: string]: number;
  };
  points: {
    [k: string]: number;
  };
  lines: {
    [k: string]: string[][];
  };
  threats: {
    [k: string]: SeenThreat[];
  };
  winning: string[][];
}
/**
 * A square of the board, its figure and the token on it.
 */
export interface SeenSquare {
  square: string;
  figure: string;
  token: ('x' | 'o') | null;
}
/**
 * A free square where the next token would score, or win.
 */
export interface SeenThreat {
  square: string;
  points: number;
  wins: boolean;
}
/**
 * A sheet of Yamm. `columns` maps columns to rows to points; 0 is a struck cell, null an empty
 * one. `next_row` maps a column to the only row that may be written in it now; null where any
 * empty row may, and in a full column.
 */
export interface SeenSheet {
  seats: number[];
  columns: {
    [k: string]: {
      [k: string]: number | null;
    };
  };
  upper: {
    [k: string]: number;
  };
  bonus: {
    [k: string]: number | null;
  };
  next_bonus: {
    [k: string]: SeenReach | null;
  };
  column_totals: {
    [k: string]: number | null;
  };
  next_row: {
    [k: string]: string | null;
  };
  first_throw_yamms: number;
  total: number;
  wet: SeenWet | null;
}
/**
 * The next bonus of a column: the sum it needs, its points, and the points missing for it.
 */
export interface SeenReach {
  needed: number;
  bonus: number;
  missing: number;
}
/**
 * The last result of a sheet that can still be corrected.
 */
export interface SeenWet {
  turn: number;
  cell: string;
  dice: number[];
  throws: number;
}
/**
 * A line of talk: an event with the name of the person who was on the seat. Of `phrase`,
 * `reaction` (with `throw`, `thrower` and `dice`), `text` and `allowed` it has those of its type.
 */
export interface SeenLine {
  number: number;
  time: number;
  name: string;
  type: 'said' | 'reacted' | 'wrote' | 'texts-allowed';
  seat: number;
  phrase?: Phrase | null;
  reaction?: Reaction | null;
  throw?: number | null;
  thrower?: number | null;
  dice?: string | null;
  text?: string | null;
  allowed?: boolean | null;
}
/**
 * Whether an action changed anything.
 */
export interface ChangedTable {
  changed: boolean;
}
/**
 * A seat claimed a win, a draw or a computer because the person on the seat `against` has left
 * or was too slow.
 */
export interface ClaimedEvent {
  number: number;
  time: number;
  seat: number;
  what: Remedy;
  against: number;
  type: 'claimed';
}
/**
 * The running turn got seconds back in which nobody could reach the server: on its clock, or
 * without a clock before the others may claim.
 */
export interface ClockHeldEvent {
  number: number;
  time: number;
  seconds: number;
  type: 'clock-held';
}
/**
 * Ten new recovery codes in place of the earlier ones. They are not shown again.
 */
export interface Codes {
  codes: string[];
}
/**
 * The dice follow from another secret from here on.
 *
 * `salt`: with the host key and the id of the table it determines the secret, see
 * `fairness.secret_of`.
 */
export interface CommitmentBegunEvent {
  number: number;
  time: number;
  commitment: string;
  salt: string;
  type: 'commitment-begun';
}
/**
 * No more dice follow from the secret of this commitment.
 *
 * The table came to a server that does not know the secret, or its log was restored from a backup.
 */
export interface CommitmentEndedEvent {
  number: number;
  time: number;
  commitment: string;
  type: 'commitment-ended';
}
/**
 * The decision at which all entrants together lost most: after throw number `throw` of their
 * turn number `turn`.
 *
 * `people` of `entrants` lost `loss` in sum, in the unit of the game's reviews. Most of them had
 * `dice` and did `played`, where `best` was best.
 */
export interface CostlyDecision {
  turn: number;
  throw: number;
  dice: string;
  people: number;
  entrants: number;
  loss: number;
  played: string;
  best: string;
}
/**
 * The table was created.
 *
 * `commitment`: the SHA-256 of the secret of its dice, empty for real dice.
 */
export interface CreatedEvent {
  number: number;
  time: number;
  table: string;
  setup: Setup;
  commitment: string;
  type: 'created';
}
/**
 * The crosstable after event `number`, in the order of the standings.
 */
export interface Crosstable {
  number: number;
  lines: CrosstableLine[];
}
/**
 * A line of the crosstable.
 */
export interface CrosstableLine {
  rank: number;
  entrant: number;
  points: number;
  played: number;
  won: number;
  drawn: number;
  lost: number;
  tie_breaks: (number | null)[];
  seats: number;
  meetings: CrosstableMeeting[];
}
/**
 * What an entrant did in a round. `opponent` is null for a bye, `points` while the pairing is
 * played. `first`: whether the entrant had the first seat. `played`: neither a bye nor a
 * forfeit.
 */
export interface CrosstableMeeting {
  round: number;
  opponent: number | null;
  first: boolean;
  points: number | null;
  played: boolean;
}
/**
 * What happened on each of the last days, from the day `first` (days since 1970, UTC) to today:
 * tables that were begun, games that ended, people at the tables that were begun, new accounts,
 * and phrases, reactions and texts of people at tables.
 */
export interface DayCounts {
  first: number;
  tables: number[];
  games: number[];
  people: number[];
  accounts: number[];
  messages: number[];
}
/**
 * A browser that is signed in as you. `agent` names it, such as `Firefox, Android`. `created`
 * and `seen` are in seconds since 1970, `seen` to the hour. The id `earlier` stands for all
 * browsers that signed in before the server told them apart.
 */
export interface Device {
  id: string;
  agent: string;
  created: number;
  seen: number;
  current: boolean;
}
/**
 * The browsers that are signed in as you.
 */
export interface Devices {
  devices: Device[];
}
/**
 * How often a face came, and the 95 % interval of its share from `low` to `high`.
 */
export interface DiceShare {
  face: number;
  count: number;
  share: number | null;
  low: number;
  high: number;
  expect: number;
}
/**
 * Dice that were thrown in finished games, against fair dice.
 */
export interface DiceStatistics {
  games: number;
  total: number;
  faces: DiceShare[];
  chi_square: number;
  p_value: number;
}
/**
 * A die of the starting roll.
 *
 * It is number `counter` of the server's throws, or a real die that `seat` entered.
 */
export interface DieThrownEvent {
  number: number;
  time: number;
  face: number;
  counter: number | null;
  seat: number | null;
  type: 'die-thrown';
}
/**
 * A command was handled. `number` is the number of its last event.
 */
export interface Done {
  type: 'done';
  id: string;
  number: number;
}
/**
 * A seat accepted the draw offer, or declined it, which ends the offer.
 */
export interface DrawAnsweredEvent {
  number: number;
  time: number;
  seat: number;
  accept: boolean;
  type: 'draw-answered';
}
/**
 * A seat offered a draw to all others.
 */
export interface DrawOfferedEvent {
  number: number;
  time: number;
  seat: number;
  type: 'draw-offered';
}
/**
 * A duplicate event. `kind` is the series of a daily challenge of the `day`, or `pair` or
 * `four`.
 *
 * People enter between `opens` and `closes` (seconds since 1970). `secret` is null until the last
 * game is over (`over`); its SHA-256 is the `commitment`. `rated`: a pair or a four changes the
 * ratings of its people. `analysed`: the line of `master` and the
 * costliest decision are known. `missed`: no server ran on that day.
 */
export interface DuplicateEvent {
  event: string;
  kind: 'yamm' | 'short' | 'duel' | 'pair' | 'four';
  day: string | null;
  game: string;
  start: string;
  rated: boolean;
  turn_seconds: number | null;
  commitment: string;
  secret: string | null;
  opens: number;
  closes: number;
  over: boolean;
  analysed: boolean;
  missed: boolean;
  entrants: number;
  mine: OwnEntry | null;
}
/**
 * Your entry. `number` counts all entries in the order of the ranking, from 1, and `rank` is
 * the same for equal results; both are null before the end of the event, and `rank` for an entry
 * that does not count. `finished`: whether your game was played to its end.
 */
export interface OwnEntry {
  table: string | null;
  place: number;
  counts: boolean;
  number: number | null;
  rank: number | null;
  finished: boolean | null;
  result: string | null;
}
/**
 * A seat agreed to end the game after another seat gave up.
 */
export interface EndAgreedEvent {
  number: number;
  time: number;
  seat: number;
  type: 'end-agreed';
}
/**
 * The game ended. `end` and `result` are the record tags End and Result.
 *
 * `winners` are the seats that win: several if they share the win or are a pair, none for a draw.
 */
export interface EndedEvent {
  number: number;
  time: number;
  end: string;
  result: string;
  winners: number[];
  type: 'ended';
}
/**
 * Days with challenges. `streak` counts the days in a row on which you played one to its end,
 * until today or yesterday, and `longest` the most such days ever.
 */
export interface EventCalendar {
  days: EventDay[];
  streak: number;
  longest: number;
}
/**
 * A day with its challenges.
 */
export interface EventDay {
  day: string;
  events: DuplicateEvent[];
}
/**
 * Where you sit. `table` is null in a pair or at a table of four until all have come.
 */
export interface EventEntered {
  table: string | null;
}
/**
 * A game of an event that is over: the name of the entrant, and the record.
 */
export interface EventGame {
  name: string;
  record: string;
}
/**
 * An event with its results, which are empty before its end.
 *
 * `line` is the result of `master` with the same dice. `key` is that of the link to invite others,
 * for people who have entered a pair or a table of four; `tables` are the tables at which you
 * sit, in their order.
 */
export interface EventPage {
  event: DuplicateEvent;
  ranking: RankedEntry[];
  line: string | null;
  costly: CostlyDecision | null;
  people: string[];
  tables: string[];
  sums: SideSum[];
  key: string | null;
  link: string | null;
}
/**
 * An entry in the ranking; see `OwnEntry`.
 */
export interface RankedEntry {
  number: number;
  rank: number | null;
  name: string;
  result: string;
  finished: boolean;
  mine: boolean;
}
/**
 * What a side of a pair or of a table of four has in both games. A drawn game is half a
 * win.
 */
export interface SideSum {
  names: string[];
  wins: number;
  points: number;
  mine: boolean;
}
/**
 * The challenges of today, and how many days in a row you have played one.
 */
export interface EventsToday {
  day: string;
  events: DuplicateEvent[];
  streak: number;
}
/**
 * People that an administrator looked for, or those who are banned.
 */
export interface FoundPeople {
  people: FoundPerson[];
}
/**
 * A person: the handle, empty without an account, the newest names, the numbers of tables and
 * devices, the first and the last trace, the ban if there is one, and whether the person is an
 * administrator.
 */
export interface FoundPerson {
  identity: string;
  handle: string;
  names: string[];
  tables: number;
  devices: number;
  since: number;
  seen: number;
  ban: BanOfPerson | null;
  admin: boolean;
}
/**
 * A report with its context: the `game`, the `number` of the last event, the `seat`, the
 * `names` on all seats, and the last lines of `talk`, as in a view. `event` is the number of the
 * line that was reported, null for a person. `remark` is what the reporter wrote, or empty.
 * `resolved` is null for an open report.
 */
export interface FoundReport {
  number: number;
  time: number;
  reporter: string;
  reported: string;
  reason: Dicecup_Hosting_Reporting__Reason;
  table: string;
  event: number | null;
  context: {
    [k: string]: unknown;
  };
  resolved: number | null;
  note: string;
  remark: string;
}
/**
 * A table that an administrator looked for. `admits`: whether newcomers are let in.
 */
export interface FoundTable {
  table: string;
  game: string;
  state: 'open' | 'running' | 'over';
  admits: boolean;
  created: number;
  result: string | null;
  seats: SeatOfTable[];
}
/**
 * A seat: the name on it, the level of a computer, and the identity of a person.
 */
export interface SeatOfTable {
  name: string;
  level: string;
  identity: string | null;
}
/**
 * Tables, the newest first. `more`: there are earlier ones; ask `before` the last `created`.
 */
export interface FoundTables {
  tables: FoundTable[];
  more: boolean;
}
/**
 * A game that the server can host. `id` is the game id with the default options; `levels` are
 * the levels of its computer players. `first_player` says how a table finds the first player,
 * `scoring` what a match adds up. Odds, hints, reviews and the trainer exist for games that are
 * `analysed`. `guide` says whether the game has a guided first game. `preparing` are the levels
 * that a new server still prepares: a game can begin, and the computer plays when it is ready.
 */
export interface GameDescription {
  id: string;
  options: GameOption[];
  levels: string[];
  preparing: string[];
  players: PlayerLimits;
  first_player: 'lot' | 'starting-roll';
  scoring: 'wins' | 'totals';
  analysed: boolean;
  guide: boolean;
}
/**
 * A rule option of a game. `values` and `default` are texts of the game id; `text_key` is the
 * catalogue key of the option's name, `{text_key}_{value}` that of a value's name and
 * `{text_key}_{value}_about` that of its explanation. `players`: by value the numbers of players
 * that can play with it, where the other options have their defaults.
 */
export interface GameOption {
  name: string;
  values: string[];
  default: string;
  text_key: string;
  players: {
    [k: string]: number[];
  };
}
/**
 * The least and the greatest number of players that the options of a game allow.
 */
export interface PlayerLimits {
  least: number;
  most: number;
}
/**
 * Every registered game.
 */
export interface Games {
  games: GameDescription[];
}
/**
 * The guided first game of a game.
 */
export interface GuideScript {
  game: string;
  steps: GuideStep[];
}
/**
 * A step of a guided first game: one sentence, one highlight, one thing to do.
 *
 * `text` is the catalogue key of the sentence, `values` its placeholders, `mark` what is
 * highlighted. `updates` are those of the table since the step before. The first update of a new
 * scene has no events and a whole view.
 */
export interface GuideStep {
  text: string;
  values: {
    [k: string]: number | string;
  };
  mark: string;
  does: Does;
  action: string;
  updates: Update[];
}
/**
 * A change of the table.
 *
 * `events`: the events since the last update; in the first update those after `since`. There are
 * none if only presence has changed, or if the client asked for no gap. The first `view` of a
 * connection is whole. Later ones may leave out `board` or `sheets`, `corrections`, `history` and
 * `talk` if they have not changed. With `trouble` the server cannot serve the table now, and
 * `view` is null.
 */
export interface Update {
  type: 'update';
  number: number;
  events: (
    | CreatedEvent
    | SeatedEvent
    | StoodUpEvent
    | LevelSeatedEvent
    | SeatFreedEvent
    | RenamedEvent
    | LinksRotatedEvent
    | AdmissionSetEvent
    | SeedCommittedEvent
    | SeedRevealedEvent
    | StartedEvent
    | LotCastEvent
    | DieThrownEvent
    | ThrownEvent
    | ActedEvent
    | TakenBackEvent
    | DrawOfferedEvent
    | DrawAnsweredEvent
    | ResignedEvent
    | EndAgreedEvent
    | ClaimedEvent
    | TimeUpEvent
    | ClockHeldEvent
    | EndedEvent
    | SecretPublishedEvent
    | CommitmentEndedEvent
    | CommitmentBegunEvent
    | RematchAskedEvent
    | NextTableEvent
    | PlayedOnDeviceEvent
    | BroughtOverEvent
    | SaidEvent
    | ReactedEvent
    | WroteEvent
    | TextsAllowedEvent
  )[];
  view: Change | null;
  /**
   * The code of the reason, or empty
   */
  trouble?: string;
}
/**
 * A person took a seat. The identity is for this server alone.
 */
export interface SeatedEvent {
  number: number;
  time: number;
  seat: number;
  name: string;
  type: 'seated';
}
/**
 * A person left a seat.
 */
export interface StoodUpEvent {
  number: number;
  time: number;
  seat: number;
  type: 'stood-up';
}
/**
 * A computer took a free seat, or the seat of a person who left.
 */
export interface LevelSeatedEvent {
  number: number;
  time: number;
  seat: number;
  level: string;
  name: string;
  type: 'level-seated';
}
/**
 * A seat was taken back from its person, by the owner of the table or the host. The links of
 * the table changed.
 *
 * In a running game the seat is vacant until a person or a computer takes it.
 */
export interface SeatFreedEvent {
  number: number;
  time: number;
  seat: number;
  type: 'seat-freed';
}
/**
 * A seat got another name, because the account of its person was deleted.
 */
export interface RenamedEvent {
  number: number;
  time: number;
  seat: number;
  name: string;
  type: 'renamed';
}
/**
 * The table got new links. The old ones do not work any more.
 */
export interface LinksRotatedEvent {
  number: number;
  time: number;
  type: 'links-rotated';
}
/**
 * A seat committed to its seed with the seed's SHA-256.
 */
export interface SeedCommittedEvent {
  number: number;
  time: number;
  seat: number;
  hash: string;
  type: 'seed-committed';
}
/**
 * A seat revealed its seed.
 *
 * The seed is empty if it was not committed to or not revealed in time.
 */
export interface SeedRevealedEvent {
  number: number;
  time: number;
  seat: number;
  seed: string;
  type: 'seed-revealed';
}
/**
 * The game began: all seats are taken and all seeds are known.
 */
export interface StartedEvent {
  number: number;
  time: number;
  type: 'started';
}
/**
 * The lot of Yam Master: the first seat is x on an odd face, the second on an even one.
 *
 * `seat`: the seat that entered a real die.
 */
export interface LotCastEvent {
  number: number;
  time: number;
  face: number;
  seat: number | null;
  type: 'lot-cast';
}
/**
 * A throw with all five dice: `11346`, `22|346` or `~`.
 *
 * It is number `counter` of the server's throws, or real dice that `seat` entered.
 */
export interface ThrownEvent {
  number: number;
  time: number;
  dice: string;
  counter: number | null;
  seat: number | null;
  type: 'thrown';
}
/**
 * The last entry of this seat, `text`, was taken back, with all that computers did after it.
 *
 * The dice that lay before the entry lie there again. No dice are thrown anew.
 */
export interface TakenBackEvent {
  number: number;
  time: number;
  seat: number;
  text: string;
  type: 'taken-back';
}
/**
 * A seat gave the game up.
 */
export interface ResignedEvent {
  number: number;
  time: number;
  seat: number;
  type: 'resigned';
}
/**
 * A seat's clock ran out.
 */
export interface TimeUpEvent {
  number: number;
  time: number;
  seat: number;
  type: 'time-up';
}
/**
 * The secret of the dice was published, in hex. Everybody can check the dice now.
 *
 * `earlier` holds the secrets of the ended commitments in their order, and an empty text for each
 * that this server does not know.
 */
export interface SecretPublishedEvent {
  number: number;
  time: number;
  secret: string;
  earlier: string[];
  type: 'secret-published';
}
/**
 * A seat asked for a rematch.
 */
export interface RematchAskedEvent {
  number: number;
  time: number;
  seat: number;
  type: 'rematch-asked';
}
/**
 * The next game of the match, or the rematch, is played at this table.
 */
export interface NextTableEvent {
  number: number;
  time: number;
  table: string;
  type: 'next-table';
}
/**
 * The person on `seat` played on without the server: these `steps`, throws and actions in
 * their order, of people and computers.
 *
 * `device` is the id of the table on the device. Its dice follow from `secret`, whose SHA-256 is
 * `commitment`; both are empty for real dice. After the steps the commitment of the server counts
 * again.
 */
export interface PlayedOnDeviceEvent {
  number: number;
  time: number;
  seat: number;
  device: string;
  commitment: string;
  secret: string;
  steps: string[];
  type: 'played-on-device';
}
/**
 * A seat said a quick phrase.
 */
export interface SaidEvent {
  number: number;
  time: number;
  seat: number;
  phrase: Phrase;
  type: 'said';
}
/**
 * A seat reacted on a throw: event number `throw`, in which the seat `thrower` threw `dice`.
 */
export interface ReactedEvent {
  number: number;
  time: number;
  seat: number;
  reaction: Reaction;
  throw: number;
  thrower: number;
  dice: string;
  type: 'reacted';
}
/**
 * A seat wrote a text.
 */
export interface WroteEvent {
  number: number;
  time: number;
  seat: number;
  text: string;
  type: 'wrote';
}
/**
 * The person on a seat allows texts at this table, or no longer. Texts need the permission of
 * all people.
 */
export interface TextsAllowedEvent {
  number: number;
  time: number;
  seat: number;
  allowed: boolean;
  type: 'texts-allowed';
}
/**
 * `ok`, or the code of the reason for which tables cannot be served.
 */
export interface Health {
  status: string;
}
/**
 * Your invitations may have changed. `GET /api/lobby` returns them.
 */
export interface Invited {
  type: 'invited';
}
/**
 * Whether the game is new; one that joined before stays as it is.
 */
export interface Joined {
  new: boolean;
}
/**
 * The people whom you have played, and those whom you have blocked. `shows_online`: whether you
 * show them when you are in the lobby.
 */
export interface KnownPeople {
  people: KnownPerson[];
  blocked: KnownPerson[];
  shows_online: boolean;
}
/**
 * A person whom you have played last in this `game`. The `id` is valid for you alone. `online`:
 * whether the person is in the lobby, null unless both of you show it.
 */
export interface KnownPerson {
  id: string;
  name: string;
  online: boolean | null;
  game: string;
}
/**
 * The people with the highest ratings in a pool who have public accounts, and the levels of the
 * computer. `you`: your own rating, null without one.
 */
export interface Leaderboard {
  pool: RatingPool;
  people: RankedPerson[];
  levels: RatedLevel[];
  you: Rating | null;
}
/**
 * A pool of rated games: the name of the game, the `kind` of its dice, who plays (`form`), and
 * how fast (`pace`). `pool` is its name, as in `yamm:open:duel:fast`.
 */
export interface RatingPool {
  pool: string;
  game: string;
  kind: 'open' | 'duplicate';
  form: 'duel' | 'group' | 'pairs';
  pace: 'fast' | 'slow';
}
/**
 * A person on a leaderboard. The profile is at `/people/HANDLE`.
 */
export interface RankedPerson {
  handle: string;
  rating: Rating;
  games: number;
}
/**
 * A rating with its `deviation` (one standard deviation). A new player has 1500 ± 350. A
 * `provisional` one is not known well enough to be compared.
 */
export interface Rating {
  rating: number;
  deviation: number;
  provisional: boolean;
}
/**
 * A level of the computer with its fixed rating, measured in games of the levels against each
 * other.
 */
export interface RatedLevel {
  level: string;
  rating: number;
}
/**
 * The links to join and to watch a table, their keys, and where the links work.
 */
export interface Links {
  table: string;
  join: string;
  watch: string;
  join_key: string;
  watch_key: string;
  reach: 'everywhere' | 'local-network' | 'this-device';
}
/**
 * A seat of a listed table. A free seat has neither `name` nor `level`.
 */
export interface ListedSeat {
  name: string;
  level: string;
}
/**
 * A public table with free seats. `key` is that of the link to join it, `level` the wished
 * level of opponents or empty, `created` in seconds since 1970.
 */
export interface ListedTable {
  table: string;
  key: string;
  game: string;
  created: number;
  seats: ListedSeat[];
  level: string;
  clock: Clock | null;
  dice: DiceOf;
  games: number;
  rated: boolean;
}
/**
 * The lobby: how many `people` are there, and open tables.
 *
 * The first message has all `tables`. Later ones have those that are new or have changed, and in
 * `gone` the ids of those that are not open any more.
 */
export interface Lobby {
  type: 'lobby';
  people: number;
  tables: ListedTable[];
  gone: string[];
}
/**
 * An invitation to a table of a person called `name`. `key` is that of the link to join it,
 * `created` in seconds since 1970.
 */
export interface LobbyInvitation {
  table: string;
  key: string;
  name: string;
  game: string;
  created: number;
}
/**
 * All invitations that you have now, the newest first.
 */
export interface LobbyInvitations {
  type: 'invitations';
  invitations: LobbyInvitation[];
}
/**
 * The lobby for those who do not look at it: how many `people` are there, and the invitations
 * that you have now, the newest first. `declined`: ids of tables to which you have invited a
 * person who declined. A table is listed until its game begins.
 */
export interface LobbyNow {
  people: number;
  invitations: LobbyInvitation[];
  declined: string[];
}
/**
 * An event of a tournament with its number and time (docs/protocol.md lists the types). No
 * event names the identity of a person.
 */
export interface LoggedTournamentEvent {
  number: number;
  time: number;
  event: {
    [k: string]: unknown;
  };
}
/**
 * The view of a table and the number of its last event.
 */
export interface Look {
  number: number;
  view: View;
}
/**
 * A table as the viewer may see it: `board` in Yam Master, `sheets` in Yamm.
 */
export interface View {
  table: string;
  number: number;
  now: number;
  game: string;
  dice_of: DiceOf;
  you: number[];
  seats: SeenSeat[];
  order: number[];
  demand: SeenDemand;
  turn: SeenTurn | null;
  position: string;
  actions: SeenAction[];
  /**
   * The types of the commands that these seats may send now
   */
  may: string[];
  portable: boolean;
  starting: SeenStart | null;
  clock: SeenClock | null;
  rated: boolean;
  draw: SeenDraw | null;
  owner: number | null;
  links: number;
  admits: boolean;
  vacancy: SeenVacancy | null;
  claim: SeenClaim | null;
  match: SeenMatch | null;
  fairness: SeenFairness | null;
  duplicate: SeenDuplicate | null;
  result: SeenResult | null;
  next: string | null;
  running: string[];
  throw: SeenThrow | null;
  texts: number[];
  board?: SeenBoard | null;
  sheets?: SeenSheet[] | null;
  corrections: SeenAction[];
  history: string[];
  talk: SeenLine[];
}
/**
 * A new tournament, and the link to its page.
 */
export interface MadeTournament {
  tournament: string;
  link: string;
  reach: 'everywhere' | 'local-network' | 'this-device';
}
/**
 * Your mail address. Until it is confirmed it gets only the mail that asks for that.
 */
export interface MailChannel {
  id: string;
  address: string;
  daily: boolean;
  confirmed: boolean;
}
/**
 * Your statistics.
 */
export interface Me {
  outcomes: Outcome[];
}
/**
 * The number of your finished games with one outcome.
 */
export interface Outcome {
  game: string;
  outcome: 'won' | 'drawn' | 'lost';
  games: number;
}
/**
 * A decision of one of your games that lost `loss` in `unit`, to decide again.
 *
 * `created`: when the game began, in seconds since 1970. `opponent`: the name of the other player
 * of a game of two; a computer has the name of its level. `losses`: the loss of every action, the
 * best first. `right`: the actions that lose so little that they are right answers.
 */
export interface MistakeCard {
  id: string;
  theme: Theme;
  unit: 'points' | 'chance';
  played: string;
  loss: number;
  created: number;
  opponent: string | null;
  question: Question;
  losses: {
    [k: string]: number;
  };
  right: string[];
}
/**
 * A decision to practise on, with the actions that are worth a look, in the order of the
 * actions.
 */
export interface Question {
  shown: Shown;
  difficulty: number;
  choices: string[];
}
/**
 * The part of a view that shows a position: `board` in Yam Master, `sheets` in Yamm.
 *
 * Seats are numbered in the order of play.
 */
export interface Shown {
  game: string;
  position: string;
  turn: SeenTurn | null;
  board?: SeenBoard | null;
  sheets?: SeenSheet[] | null;
  actions: SeenAction[];
}
/**
 * The mean loss of a game in a theme, over the games that began from `since` to `until`.
 *
 * `half`: half of the 95 % interval, null with fewer than two games.
 */
export interface MistakePeriod {
  since: number;
  until: number;
  games: number;
  loss: number;
  half: number | null;
}
/**
 * A theme of a game: your cards, how many of them are due, and your loss over time.
 *
 * `made`: whether `POST /api/questions` makes questions about the theme.
 */
export interface MistakeTheme {
  game: string;
  theme: Theme;
  unit: 'points' | 'chance';
  cards: number;
  due: number;
  made: boolean;
  periods: MistakePeriod[];
}
/**
 * What you can practise on a day.
 *
 * `cards`: the portion of the day, or of a drill, in the order of asking. `answered`: how many
 * cards you have answered on the day. `due`: how many wait, new ones included. `size`: how many
 * take about ten minutes. `total`: all cards. `waiting`: how many games are not reviewed yet; ask
 * again for them.
 */
export interface Mistakes {
  cards: MistakeCard[];
  answered: number;
  due: number;
  size: number;
  total: number;
  themes: MistakeTheme[];
  waiting: number;
}
/**
 * Whether you are told nothing of a table.
 */
export interface Muted {
  muted: boolean;
}
/**
 * How you are told something while you are away.
 *
 * `push_key` is the public key with which a browser subscribes, empty if this server offers no
 * web push. `mail_offered`: whether it sends mails. `mails` holds the address, and a new one that
 * is not confirmed yet.
 */
export interface Notices {
  push_key: string;
  mail_offered: boolean;
  pushes: PushChannel[];
  mails: MailChannel[];
  quiet: QuietTimes | null;
}
/**
 * A browser in which you are told something.
 */
export interface PushChannel {
  id: string;
  created: number;
}
/**
 * Your quiet hours in minutes since midnight, and your time zone.
 */
export interface QuietTimes {
  zone: string;
  begins: number;
  ends: number;
}
/**
 * Message from the server. Clients ignore members that they do not know.
 */
export interface Outgoing {}
/**
 * A column of a sheet: its total and its bonus, null if they were never reached.
 */
export interface OwnColumn {
  total: number | null;
  bonus: number | null;
}
/**
 * The pairs and tables of four that you entered, the newest first.
 */
export interface OwnEvents {
  events: DuplicateEvent[];
}
/**
 * A finished game of yours with its players in the order of play. `on_device`: you played it,
 * or a part of it, on a device without the server, and the dice `server` are those of the device.
 *
 * `unit` is points or the chance to win, and null for a game that cannot be reviewed.
 */
export interface OwnGame {
  table: string;
  game: string;
  created: number;
  outcome: ('won' | 'drawn' | 'lost') | null;
  on_device: boolean;
  dice: DiceOf;
  unit: ('points' | 'chance') | null;
  players: OwnPlayer[];
}
/**
 * A player of a finished game.
 *
 * `faces`: how often the dice that the player threw showed 1, 2, … 6. `loss` of `decisions` that
 * were not forced, `luck`, the `result` and the result `adjusted` for luck are in the unit of the
 * game.
 */
export interface OwnPlayer {
  name: string;
  level: string;
  mine: boolean;
  faces: number[];
  result?: number | null;
  adjusted?: number | null;
  luck?: number | null;
  loss?: number | null;
  decisions?: number | null;
  columns?: {
    [k: string]: OwnColumn;
  };
  first_throw_yamms?: number;
}
/**
 * Your request with its `id`. `since` is when you began to wait, in seconds since 1970.
 *
 * `offers_computer`: you have waited so long that a game against the computer is worth offering;
 * you keep your place meanwhile. `table`: where you sit with your opponent; come there and send
 * `arrive`.
 */
export interface OwnSeek {
  id: string;
  game: string;
  clock: Clock | null;
  rated: boolean;
  since: number;
  offers_computer: boolean;
  table: string | null;
}
/**
 * Your finished games, the newest first.
 *
 * `dice`: your own throws with the server's dice and with real dice; what a device threw is left
 * out. `waiting`: how many games are not reviewed yet; ask again for them.
 */
export interface OwnStatistics {
  games: OwnGame[];
  dice: {
    [k: string]: DiceStatistics;
  };
  waiting: number;
}
/**
 * What concerns you: your number if you have entered, whether you are an organiser, the pairing
 * in which you play now and the table of its game, and the types of the commands that you may
 * send.
 */
export interface OwnTournament {
  entrant: number | null;
  organiser: boolean;
  pairing: number | null;
  table: string | null;
  may: string[];
}
/**
 * A game of a pairing. `table` is null where results are entered. `watch_key` is the key of the
 * link to watch it, null while others play with the same dice. `points` of the first and second
 * entrant, or empty.
 */
export interface PairingGame {
  game: number;
  table: string | null;
  watch_key: string | null;
  result: Result | null;
  cause: Cause | null;
  points: number[];
}
/**
 * What a page hands to `navigator.credentials.create` or `get` (WebAuthn, as JSON).
 */
export interface PasskeyOptions {
  options: {
    [k: string]: unknown;
  };
}
/**
 * The mean `loss` of `decisions` in the newest rated games of a `game`, in a `unit`. `half`:
 * half of its 95 % interval. `loss` is null before the first review, `half` for fewer than three
 * games. `waiting`: games that are being reviewed.
 */
export interface PersonAccuracy {
  game: string;
  loss: number | null;
  half: number | null;
  decisions: number;
  games: number;
  unit: ('points' | 'chance') | null;
  waiting: number;
}
/**
 * The rating of a person in a pool after so many `games`, and after each of the newest ones,
 * the last one last.
 */
export interface PersonRating {
  pool: RatingPool;
  rating: Rating;
  games: number;
  history: RatingPoint[];
}
/**
 * A rating after a game that ended at `time`, in seconds since 1970.
 */
export interface RatingPoint {
  time: number;
  rating: number;
}
/**
 * All ratings of a person, and the accuracy in each game that they are in.
 */
export interface PersonRatings {
  ratings: PersonRating[];
  accuracy: PersonAccuracy[];
}
/**
 * The answer to a ping.
 */
export interface Pong {
  type: 'pong';
}
/**
 * The pools of all games in which a person has a rating.
 */
export interface Pools {
  pools: RatingPool[];
}
/**
 * The answer to a refused request.
 */
export interface Problem {
  error: Refusal;
}
/**
 * Reason for which a request or a command was refused. Nothing has changed.
 *
 * `code` is stable, `message` a sentence for people, and `details` hold the offending input.
 * `number` is the newest event of the table if the command was meant for an earlier one.
 */
export interface Refusal {
  code: string;
  message: string;
  details?: {
    [k: string]: unknown;
  };
  number?: number | null;
}
/**
 * The profile of a public account. `recent`: the newest games at public tables.
 */
export interface Profile {
  handle: string;
  created: number;
  games: ProfileGame[];
  recent: ArchivedGame[];
}
/**
 * How many games of a game ended in which way, and the mean `loss` of a decision in those that
 * were reviewed, in a `unit`; null before.
 */
export interface ProfileGame {
  game: string;
  games: number;
  won: number;
  drawn: number;
  lost: number;
  loss: number | null;
  decisions: number;
  unit: ('points' | 'chance') | null;
}
/**
 * A `ticket` for a login that the provider has proved. `account`: the handle of the account to
 * which it signs in, null without one; `handle`: a proposal for a new one, or empty.
 */
export interface ProvedLogin {
  ticket: string;
  account: string | null;
  handle: string;
}
/**
 * The rating of who sits on a seat. `change`: what this game changed, null until it is rated.
 * `share`: the part of the change that counted, less than 1 after many games of the same people on
 * one day.
 */
export interface RatedSeat {
  seat: number;
  rating: Rating;
  change: number | null;
  share: number | null;
}
/**
 * The ratings at a rated table.
 *
 * `state`: `playing`; `in-event` until the other games of a pair of duels or of a table of four,
 * which are rated together, are over; `waiting` until the game is rated; `counted`; or
 * `not-counted` for the reason in `refusal`. A seat that nobody has taken is missing.
 */
export interface RatedTable {
  pool: RatingPool;
  state: 'playing' | 'in-event' | 'waiting' | 'counted' | 'not-counted';
  refusal: ('too-short' | 'on-device' | 'same-person' | 'closed' | 'unmeasured' | 'cancelled' | 'restored') | null;
  seats: RatedSeat[];
}
/**
 * A command was refused, or a message that cannot be read; then `id` is null. Nothing has
 * changed.
 */
export interface Refused {
  type: 'refused';
  id: string | null;
  error: Refusal;
}
/**
 * Reports: the open ones, the oldest first, or the resolved ones, the newest first.
 */
export interface Reports {
  reports: FoundReport[];
}
/**
 * A round with all its pairings.
 */
export interface RoundOfTournament {
  round: number;
  started: number;
  deadline: number | null;
  ended: number | null;
  byes: number[];
  pairings: TournamentPairing[];
}
/**
 * Two entrants who play each other. `first` has the first seat in odd games. `result` is null
 * while they play. `corrected`: an organiser replaced the result.
 */
export interface TournamentPairing {
  pairing: number;
  round: number;
  first: number;
  second: number;
  result: Result | null;
  cause: Cause | null;
  corrected: boolean;
  games: PairingGame[];
}
/**
 * Your request, null if there is none any more.
 *
 * `code`: `opponent-left` if your opponent did not come and you wait again at your old place, and
 * `seat-missed` if you did not come yourself.
 */
export interface SeekState {
  type: 'seek';
  seek: OwnSeek | null;
  code: '' | 'opponent-left' | 'seat-missed';
}
/**
 * The view of a tournament, what concerns you, and the link to its page with its reach.
 */
export interface SeenTournament {
  view: TournamentView;
  you: OwnTournament;
  link: string;
  reach: 'everywhere' | 'local-network' | 'this-device';
}
/**
 * A tournament as everybody may see it.
 *
 * `number` is that of its last event. `organisers` are the handles of named ones. `pairings` are
 * those of the last round; an arena has those that are played and the 50 newest that ended.
 */
export interface TournamentView {
  tournament: string;
  number: number;
  time: number;
  created: number;
  stage: 'open' | 'running' | 'over';
  how: How | null;
  finished: number | null;
  next_start: number | null;
  most_rounds: number;
  setup: TournamentSetup;
  organisers: string[];
  entrants: TournamentEntrant[];
  rounds: TournamentRound[];
  pairings: TournamentPairing[];
  tie_breaks: TieBreak[];
  standings: StandingsLine[];
}
/**
 * An entrant. `joined`: how many rounds had begun before. `active`: whether the entrant is
 * paired.
 */
export interface TournamentEntrant {
  entrant: number;
  name: string;
  strength: number;
  active: boolean;
  joined: number;
}
/**
 * A round. `ended` is null while pairings are played. `byes` are entrants.
 */
export interface TournamentRound {
  round: number;
  started: number;
  deadline: number | null;
  ended: number | null;
  byes: number[];
}
/**
 * A line of the standings. Equal entrants share a `rank`. `tie_breaks` are in the order of the
 * view's; null for a mean loss that is not known. `seats`: how much more often the entrant had the
 * first seat than the second.
 */
export interface StandingsLine {
  rank: number;
  entrant: number;
  points: number;
  played: number;
  won: number;
  drawn: number;
  lost: number;
  tie_breaks: (number | null)[];
  seats: number;
}
/**
 * The number of the last event that the command made.
 */
export interface Sent {
  number: number;
}
/**
 * Something to share: the `link`, its `title`, and where the link works.
 *
 * `card` is the address of its picture (PNG), `replay` that of the animated game (GIF), `embed`
 * that of the page for a frame. Each is null where there is none. `embed_title` is the title of
 * that page, which shows the whole ranking where the link shows one result.
 */
export interface Shared {
  link: string;
  title: string;
  card: string | null;
  replay: string | null;
  embed: string | null;
  embed_title: string;
  reach: 'everywhere' | 'local-network' | 'this-device';
}
/**
 * The id of a game that can go on: the game of the record, or one in which the position is
 * possible.
 */
export interface Startable {
  game: string;
}
/**
 * A table in the list of your tables. `you`: your seats; `created`: seconds since 1970.
 */
export interface Summary {
  table: string;
  game: string;
  state: 'open' | 'running' | 'over';
  created: number;
  outcome: ('won' | 'drawn' | 'lost') | null;
  you: number[];
  summary: {
    [k: string]: unknown;
  };
}
/**
 * Your tables, the newest first. `fitting`: by name of a game the level of the computer against
 * which you should win half of your games, for games of which enough is known.
 */
export interface Tables {
  tables: Summary[];
  fitting?: {
    [k: string]: string;
  };
}
/**
 * The link to watch a table, and its key.
 */
export interface ToWatch {
  table: string;
  watch: string;
  watch_key: string;
}
/**
 * A new bearer token for a program. It is not shown again.
 */
export interface Token {
  token: string;
  id: string;
}
/**
 * The ids of your tokens.
 */
export interface TokenIds {
  tokens: string[];
}
/**
 * There is a new message of the host to everybody, which `GET /api/announcement` returns.
 */
export interface Told {
  type: 'announcement';
  number: number;
}
/**
 * The tournament has event `number` now, and `you` is what concerns you. The first message of a
 * connection is one of these. Changes within a second share a message.
 */
export interface TournamentChanged {
  type: 'tournament';
  number: number;
  stage: 'open' | 'running' | 'over';
  round: number;
  you: OwnTournament;
}
/**
 * The tournaments that you have entered or organise, and public ones that are not over, the
 * newest first. `formats`: those of new tournaments on this server.
 */
export interface TournamentList {
  own: TournamentSummary[];
  listed: TournamentSummary[];
  formats: Format[];
}
/**
 * A tournament in a list. `seconds`: the length of an arena or the time for each round, 0 for
 * no limit. `entrants` counts those who are paired. `rounds` is how many there will be as far as
 * it is known.
 */
export interface TournamentSummary {
  tournament: string;
  name: string;
  format: Format;
  game: string;
  clock: Clock | null;
  dice: DiceKind;
  seconds: number;
  stage: 'open' | 'running' | 'over';
  entrants: number;
  round: number;
  rounds: number;
  created: number;
  next_start: number | null;
  finished: number | null;
}
/**
 * The events of a tournament after a number.
 */
export interface TournamentLog {
  events: LoggedTournamentEvent[];
}
/**
 * The tournament of a table, `null` for a table of no tournament, or of one that you have
 * neither entered nor organise.
 */
export interface TournamentOfTable {
  tournament: string | null;
}
/**
 * The number of the last event of a command.
 */
export interface TournamentSent {
  number: number;
}
/**
 * A link that gives another device your identity, once, until `expires` (seconds
 * since 1970).
 */
export interface Transfer {
  link: string;
  secret: string;
  expires: number;
  reach: 'everywhere' | 'local-network' | 'this-device';
}
/**
 * The loss of a choice, the best action, the difficulty of the next question, and the analysis
 * of all actions.
 *
 * docs/analysis.md describes the analysis.
 */
export interface Verdict {
  right: boolean;
  loss: number;
  best: string;
  next_difficulty: number;
  analysis: {
    [k: string]: unknown;
  };
}
