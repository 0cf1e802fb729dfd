// What one check of `holdfast doctor` says.

export type Check = {
  name: string;
  /** `note`: works, but worth knowing. `bad`: something will not work. */
  state: 'good' | 'note' | 'bad';
  finding: string;
  /** What to do. */
  advice?: string;
  /** Bad, and `holdfast run` would start all the same. */
  runsWithout?: true;
};

export function bad(name: string, finding: string, advice?: string): Check {
  return { name, state: 'bad', finding, ...(advice === undefined ? {} : { advice }) };
}

export function good(name: string, finding: string): Check {
  return { name, state: 'good', finding };
}
