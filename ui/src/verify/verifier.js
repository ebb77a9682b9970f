// The one source of the verifier: the client loads it, and `python -m dicecup.web.verifier` writes it into the stand-alone page.
// Rechecks the dice of a record. The recipe is docs/fairness.md; nothing here is shared with the program that threw them, and nothing
// asks for crypto.subtle, which a page from a local network does not have.
export const Verifier = (() => {
  const bytesOf = text => new TextEncoder().encode(text);
  const hexOf = bytes => Array.from(bytes, byte => byte.toString(16).padStart(2, "0")).join("");
  const bytesOfHex = hex => Uint8Array.from(hex.match(/../g) ?? [], pair => parseInt(pair, 16));

  // SHA-256 (FIPS 180-4). Its constants are the first 32 bits behind the point of the square and cube roots of the first primes.
  const PRIMES = [];
  for (let number = 2; PRIMES.length < 64; number++) if (PRIMES.every(prime => number % prime)) PRIMES.push(number);

  function rootBits(number, power) {
    const wanted = BigInt(number) << BigInt(32 * power);
    let low = 0n, high = 1n << 40n;
    while (high - low > 1n) {
      const middle = (low + high) >> 1n;
      if (middle ** BigInt(power) <= wanted) low = middle; else high = middle;
    }
    return Number(low & 0xffffffffn);
  }

  const START = PRIMES.slice(0, 8).map(prime => rootBits(prime, 2));
  const ROUND = PRIMES.map(prime => rootBits(prime, 3));
  const turned = (word, bits) => (word >>> bits) | (word << (32 - bits));

  function sha256(message) {
    const padded = new Uint8Array(Math.ceil((message.length + 9) / 64) * 64);
    padded.set(message);
    padded[message.length] = 0x80;
    const view = new DataView(padded.buffer);
    view.setUint32(padded.length - 8, Math.floor(message.length / 0x20000000));
    view.setUint32(padded.length - 4, (message.length * 8) >>> 0);
    const hash = Uint32Array.from(START), words = new Uint32Array(64);
    for (let at = 0; at < padded.length; at += 64) {
      for (let i = 0; i < 16; i++) words[i] = view.getUint32(at + 4 * i);
      for (let i = 16; i < 64; i++) {
        const small = words[i - 15], large = words[i - 2];
        words[i] = words[i - 16] + words[i - 7] + (turned(small, 7) ^ turned(small, 18) ^ (small >>> 3))
          + (turned(large, 17) ^ turned(large, 19) ^ (large >>> 10));
      }
      let [a, b, c, d, e, f, g, h] = hash;
      for (let i = 0; i < 64; i++) {
        const one = h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g)) + ROUND[i] + words[i];
        const two = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
        [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) >>> 0, c, b, a, (one + two) >>> 0];
      }
      [a, b, c, d, e, f, g, h].forEach((word, i) => { hash[i] += word; });
    }
    const digest = new DataView(new ArrayBuffer(32));
    hash.forEach((word, i) => digest.setUint32(4 * i, word));
    return new Uint8Array(digest.buffer);
  }

  const joined = (first, second) => { const both = new Uint8Array(first.length + second.length); both.set(first); both.set(second, first.length); return both; };

  function hmac(key, message) {
    const block = new Uint8Array(64);
    block.set(key.length > 64 ? sha256(key) : key);
    return sha256(joined(block.map(byte => byte ^ 0x5c), sha256(joined(block.map(byte => byte ^ 0x36), message))));
  }

  // Dice: `blockOf(0)`, `blockOf(1)` … are 32 bytes each; those of 252 and more are skipped.
  function faces(blockOf, count) {
    const found = [];
    for (let block = 0; found.length < count; block++) {
      for (const byte of blockOf(block)) if (byte < 252 && found.length < count) found.push(byte % 6 + 1);
    }
    return found;
  }
  const committed = (secret, game, seeds) => ({ place, lot }) => block =>
    hmac(secret, bytesOf(`dicecup-dice-1\n${game}${lot ? " lot" : ""}\n${seeds}\n${place}\n${block}`));
  // Events: a row of five dice for each throw of each turn of each player; a die of the starting roll has the player `start`.
  const duplicate = (secret, game) => ({ turn, number }) => {
    const row = turn ? [(turn - 1) % game.seats, Math.floor((turn - 1) / game.seats) + 1, number] : ["start", 0, number - 1];
    return block => hmac(secret, bytesOf(["dicecup-duplicate-1", game.id, ...row, block].join("\n")));
  };
  const seeded = seed => ({ place }) => block => hmac(bytesOf(seed), bytesOf(`throw ${place} ${block}`));
  const sorted = text => [...text].sort().join("");
  const throwAround = (blockOf, kept) => sorted(kept + faces(blockOf, 5 - kept.length).join(""));

  // Reading a record (docs/notation.md). The order of throws and keeps is checked, and that kept dice stay; the rules of the games are not.
  class Fault extends Error {
    constructor(line, code, details = {}) { super(code); Object.assign(this, { line, code, details }); }
  }
  const TAG = /^\[([A-Za-z][A-Za-z0-9]*) "((?:[^"\\]|\\["\\])*)"\]$/;
  const TURN = /^([1-9][0-9]*)\. (> )?(.*)$/;
  const ENDS = {
    "yam-master": /^(?:-?[a-e][1-5]|--)$/,
    "yamm": /^[duf][1-3]\.(?:[1-6]|H|T|FH|ST|Y)$/,
  };
  const OPTIONS = {
    "yam-master": ["kept_dice=locked", "failed_defi=ignored", "captured=out", "end=full_round"],
    "yamm": ["players=(?:1|[3-9]|1[0-6])", "kept_dice=locked", "pairs=yes"],
  };

  function gameOf(id) {
    const match = /^(yam-master|yamm)(?:\(([^()]+)\))?$/.exec(id);
    if (!match) return null;
    const places = match[2] === undefined ? [] : match[2].split(",").map(word =>
      OPTIONS[match[1]].findIndex(option => new RegExp(`^${option}$`).test(word)));
    if (places.some((place, i) => place < 0 || (i && place <= places[i - 1]))) return null;
    const players = /players=([0-9]+)/.exec(id);
    return { id, name: match[1], seats: players ? Number(players[1]) : 2 };
  }

  // The faces of a starting roll that says who starts, or null.
  function startOf(text, players) {
    if (!/^[1-6](?: [1-6])*(?:; [1-6](?: [1-6])*)*$/.test(text)) return null;
    let throwing = players;
    for (const round of text.split("; ").map(words => words.split(" ").map(Number))) {
      if (throwing < 2 || round.length > throwing || round.slice(0, -1).some(face => face === 1 || face === 6)) return null;
      if (round.at(-1) === 1 || round.at(-1) === 6) throwing = 1;
      else if (round.length < throwing) return null;
      else throwing = round.filter(face => face === Math.max(...round)).length;
    }
    return throwing === 1 ? text.match(/[1-6]/g) : null;
  }

  function readTags(lines) {
    const tags = new Map(), where = {};
    for (const [i, line] of lines.entries()) {
      if (!line) return { tags, where, first: i + 1 };
      const match = TAG.exec(line);
      if (!match) throw new Fault(i + 1, "not-a-tag", { text: line });
      if (tags.has(match[1])) throw new Fault(i + 1, "tag-twice", { tag: match[1] });
      tags.set(match[1], match[2].replace(/\\(.)/g, "$1"));
      where[match[1]] = i + 1;
    }
    throw new Fault(0, "no-blank-line");
  }

  const within = (part, all) => { const left = [...all]; return [...part].every(face => { const at = left.indexOf(face); return at >= 0 && left.splice(at, 1); }); };
  const ascending = text => text === sorted(text);

  // Where a record begins: with turn 1, or in the middle of the game that `Position` says.
  const BEGIN = { throws: 0, kept: "", shown: null };
  function beginning(text) {
    if (text === undefined) return { number: 1, begun: BEGIN };
    const match = / ([0-3])!?:([1-6]*)(?:\|([1-6]+))?(\?*) (?:[0-9]+-[0-9]+ )?([1-9][0-9]*)$/.exec(text);
    const dice = match ? sorted(match[2] + (match[3] ?? "")) : "";
    if (!match || dice.length + match[4].length !== 5) return null;
    return { number: Number(match[5]), begun: { throws: Number(match[1]), kept: match[4] ? dice : "", shown: match[4] ? null : dice } };
  }

  // The throws of one turn; `ended`: an action ended it.
  function readTurn(line, turn, begun, words, game, table) {
    const rows = [];
    let { throws, kept, shown } = begun, ended = false;
    for (const word of words) {
      if (!word) throw new Fault(line, "spacing");
      if (ended) throw new Fault(line, "after-the-end-of-turn", { text: word });
      const keep = /^(!?)k(-|[1-6]{1,4})$/.exec(word);
      if (shown === null) {
        if (word === "~") {
          if (!table) throw new Fault(line, "void-throw-not-table", { action: word });
          continue;
        }
        const bare = word.replace("|", "");
        if (!/^[1-6]{5}$/.test(bare) || (word !== bare && !(table && /^[1-6]+\|[1-6]+$/.test(word)))) throw new Fault(line, "not-a-turn", { text: word });
        if (!word.split("|").every(ascending)) throw new Fault(line, "not-ascending", { text: word });
        if (!table && !within(kept, bare)) throw new Fault(line, "kept-die-lost", { action: word });
        shown = bare;
        rows.push({ line, turn, number: ++throws, kept, shown: word });
      } else if (keep) {
        const named = keep[2] === "-" ? "" : keep[2];
        if (throws === 3) throw new Fault(line, "no-throw-left", { action: word });
        if (keep[1] && (game.name !== "yam-master" || throws !== 1)) throw new Fault(line, "not-a-turn", { text: word });
        if (!ascending(named) || !within(named, shown)) throw new Fault(line, "not-these-dice", { action: word });
        kept = named;
        shown = null;
      } else if (ENDS[game.name].test(word)) {
        ended = true;
      } else {
        throw new Fault(line, "not-a-turn", { text: word });
      }
    }
    return { rows, ended };
  }

  function read(given) {
    const text = given.replace(/^\ufeff/, "").replace(/\r\n/g, "\n").replace(/\n+$/, "") + "\n";
    const lines = (text.includes("\n\n") ? text : text + "\n").split("\n").slice(0, -1);
    const { tags, where, first } = readTags(lines);
    if (!tags.has("Game")) throw new Fault(0, "tag-missing", { tag: "Game" });
    const game = gameOf(tags.get("Game"));
    if (!game) throw new Fault(where.Game, "not-a-game", { text: tags.get("Game") });
    const wrong = tag => new Fault(where[tag], "tag-value", { tag, value: tags.get(tag) });
    const dice = tags.get("Dice");
    if (dice !== undefined && !/^(?:table|seed:[^]+|(?:committed|duplicate):[0-9a-f]{64})$/.test(dice)) throw wrong("Dice");

    const start = beginning(tags.get("Position"));
    if (!start) throw wrong("Position");
    const turns = [];
    let due = start.number, open = false;
    for (const [i, line] of lines.entries()) {
      if (i < first) continue;
      if (!line) throw new Fault(i + 1, "blank-line");
      if (open) throw new Fault(i + 1, "unfinished-turn", { text: line });
      const match = TURN.exec(line);
      if (!match) throw new Fault(i + 1, "not-a-turn", { text: line });
      const notes = match[3].search(/ [%;]/);
      const body = notes < 0 ? match[3] : match[3].slice(0, notes);
      if (match[2]) {
        if (game.name !== "yamm" || Number(match[1]) >= due || !ENDS.yamm.test(body)) throw new Fault(i + 1, "not-a-turn", { text: line });
        continue;
      }
      if (match[1] !== String(due)) throw new Fault(i + 1, "turn-number", { text: match[1], expected: due });
      const turn = readTurn(i + 1, due, due === start.number ? start.begun : BEGIN, body.split(" "), game, dice === "table");
      turns.push(...turn.rows);
      open = !turn.ended;
      if (open && notes >= 0) throw new Fault(i + 1, "note-in-mid-turn", { text: match[3].slice(notes + 1) });
      due++;
    }

    const rolled = tags.has("Start") || turns.length ? "Start" : "Starting";
    let thrown = [];
    if (game.name === "yamm" && tags.has(rolled)) {
      thrown = rolled === "Start" ? startOf(tags.get(rolled), game.seats) : tags.get(rolled).match(/[1-6]/g) ?? [];
      if (thrown === null) throw wrong("Start");
    }
    const starting = thrown.map((shown, i) => ({ line: where[rolled], turn: 0, number: i + 1, kept: "", shown }));
    const rows = [...starting, ...turns].map((row, place) => ({ ...row, place, lot: false }));
    if (game.name === "yam-master" && tags.has("Lot") && dice?.startsWith("committed:")) {
      rows.unshift({ line: where.Lot, turn: 0, number: 1, kept: "", shown: tags.get("Lot"), place: 0, lot: true });
    }
    return { game, dice, tags, where, wrong, rows };
  }

  // How the throws were made: spans from a place on, each with a way to make them again, or null.
  function spansOf({ game, dice, tags, where, wrong }) {
    const HEX = /^[0-9a-f]{64}$/;
    const SEEDS = /^(?:-|(?:[0-9a-f]{2}){16,32})(?: (?:-|(?:[0-9a-f]{2}){16,32}))*$/;
    const place = (tag, text) => {
      const match = /^(0|[1-9][0-9]{0,5})\.([1-9][0-9]{0,5})$/.exec(text);
      if (!match) throw wrong(tag);
      return [Number(match[1]), Number(match[2])];
    };
    const span = (first, promised, secret, seeds, secretTag, seedsTag) => {
      if (!SEEDS.test(seeds) || seeds.split(" ").length !== game.seats) throw wrong(seedsTag);
      return checked(first, promised, secret, bytes => committed(bytes, game.id, seeds), secretTag);
    };
    const checked = (first, promised, secret, dice, secretTag) => {
      if (secret === undefined) return { first, promised, blockOf: null };
      if (!HEX.test(secret)) throw wrong(secretTag);
      const bytes = bytesOfHex(secret);
      if (hexOf(sha256(bytes)) === promised) return { first, promised, blockOf: dice(bytes) };
      return { first, promised, blockOf: null, fault: new Fault(where[secretTag], "wrong-secret", { text: secret, committed: promised }) };
    };

    if (dice === undefined) throw new Fault(0, "tag-missing", { tag: "Dice" });
    if (dice === "table") throw new Fault(where.Dice, "nothing-to-check", { dice });
    if (dice.startsWith("seed:")) return [{ first: [0, 1], blockOf: seeded(dice.slice("seed:".length)) }];
    if (dice.startsWith("duplicate:")) {
      const whole = checked([0, 1], dice.slice("duplicate:".length), tags.get("Secret"), bytes => duplicate(bytes, game), "Secret");
      return [tags.has("Secret") ? whole : { ...whole, fault: new Fault(0, "secret-missing") }];
    }
    const spans = [{ first: [0, 1], blockOf: null }];
    for (const entry of tags.has("Earlier") ? tags.get("Earlier").split("; ") : []) {
      const match = /^([^ ]*) ([0-9a-f]{64}) ([^ ]*) (.*)$/.exec(entry);
      if (!match) throw wrong("Earlier");
      spans.push(span(place("Earlier", match[1]), match[2], match[3] === "-" ? undefined : match[3], match[4], "Earlier", "Earlier"));
    }
    if (!tags.has("Seeds")) throw new Fault(0, "tag-missing", { tag: "Seeds" });
    const first = tags.has("From") ? place("From", tags.get("From")) : [0, 1];
    const latest = span(first, dice.slice("committed:".length), tags.get("Secret"), tags.get("Seeds"), "Secret", "Seeds");
    if (!tags.has("Secret")) latest.fault = new Fault(0, "secret-missing");
    spans.push(latest);
    if (spans.some((later, i) => i && before(later.first, spans[i - 1].first))) throw wrong(tags.has("From") ? "From" : "Earlier");
    return spans;
  }
  const before = (one, other) => one[0] < other[0] || (one[0] === other[0] && one[1] < other[1]);

  // Returns every row with `expected` (null: unknown) and `result`, the counts, the commitments with their first throws, and the first
  // fault or null.
  function verify(text) {
    const report = { game: null, position: null, dice: null, seeds: null, onDevice: null, commitments: [], rows: [], throws: 0, right: 0, wrong: 0, error: null };
    try {
      const record = read(text);
      report.game = record.game.id;
      report.position = record.tags.get("Position") ?? null;
      report.dice = record.dice ?? null;
      report.seeds = record.dice?.startsWith("committed:") ? record.tags.get("Seeds") ?? null : null;
      report.rows = record.rows.map(row => ({ ...row, expected: null, result: "unchecked" }));
      report.throws = record.rows.filter(row => !row.lot).length;
      const spans = spansOf(record);
      report.onDevice = /^\d+\.\d+-\d+\.\d+(; \d+\.\d+-\d+\.\d+)*$/.exec(record.tags.get("OnDevice") ?? "")?.[0] ?? null;
      report.commitments = spans.filter(span => span.promised).map(({ first, promised }) => ({ first: first.join("."), hash: promised }));
      report.error = check(report, spans);
    } catch (fault) {
      if (!(fault instanceof Fault)) throw fault;
      report.error = fault;
    }
    return report;
  }

  function check(report, spans) {
    const mismatches = [], unchecked = [];
    for (const row of report.rows) {
      const where = { turn: row.turn, throw: row.number };
      const { blockOf } = spans.findLast(span => !before([row.turn, row.number], span.first));
      if (!blockOf) {
        unchecked.push(new Fault(row.line, "dice-unchecked", where));
        continue;
      }
      row.expected = row.turn === 0 ? String(faces(blockOf(row), 1)[0]) : throwAround(blockOf(row), row.kept);
      row.result = row.expected === row.shown ? "right" : "wrong";
      if (!row.lot) report[row.result]++;
      if (row.result === "wrong") {
        const code = row.turn === 0 ? "start-mismatch" : "throw-mismatch";
        mismatches.push(new Fault(row.line, code, { ...where, shown: row.shown, expected: row.expected }));
      }
    }
    const faults = spans.map(span => span.fault).filter(Boolean);
    const lies = faults.filter(fault => fault.code === "wrong-secret");
    return [...lies, ...mismatches, ...faults, ...unchecked][0] ?? null;
  }

  return { sha256, hmac, hexOf, bytesOf, bytesOfHex, faces, committed, duplicate, throwAround, verify };
})();
