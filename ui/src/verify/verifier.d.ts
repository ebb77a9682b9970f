/** The result of the verification of the dice of a record. */
export interface Report {
  dice: string | null;
  seeds: string | null;
  /** The parts that were played on a device, as the record names them. */
  onDevice: string | null;
  /** The commitments in their order, each with its first throw, as in `9.1`. */
  commitments: { first: string; hash: string }[];
  rows: Row[];
  throws: number;
  right: number;
  wrong: number;
  error: { line: number; code: string } | null;
}

/** A throw as recorded and as computed; `turn` 0 is the starting roll. */
export interface Row {
  turn: number;
  number: number;
  kept: string;
  shown: string;
  expected: string | null;
  result: 'right' | 'wrong' | 'unchecked';
}

export declare const Verifier: { verify: (record: string) => Report };
