// The rule for a skill's name. Pure.

export const expectedSkillName =
  'lower-case letters, digits and hyphens, at most 64, beginning and ending with a letter or digit';

export function isSkillName(name: string): boolean {
  return /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/.test(name);
}
