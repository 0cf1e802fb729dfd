// What one check of `holdfast doctor` says.

export type Check = {
  name: string;
  /** `note`: works, but worth knowing. `bad`: something will not work. */
  state: 'good' | 'note' | 'bad';
  finding: string;
  /** What to do. */
  advice?: string;
};

export function good(name: string, finding: string): Check {
  return { name, state: 'good', finding };
}
