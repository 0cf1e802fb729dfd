// tar: only a listing reads. Its first word may be options without a dash, whose values follow in the order of the letters.
import type { Call, Finding } from '../command-spec.ts';

export function judgeTar({ flags, args }: Call): Finding | undefined {
  const [first, archive] = args;
  const word = first === undefined ? '-' : first.value;
  if (word === undefined) return { reason: `tar: ${first?.text} may become options when bash expands it` };
  const letters = word.startsWith('-') ? undefined : word;
  // every other letter could run a program, or take the next word as its value
  if (letters !== undefined && !/^(?=[^])[tvzjJ]*f?[tvzjJ]*$/.test(letters))
    return { reason: `tar: ${first?.text} has letters that are not known to only list` };
  const archives = flags.flatMap(({ name, value }) => (/^-f$|^--file$/.test(name) ? [value] : []));
  if (letters?.includes('f')) archives.push(archive);
  if (archives.some((name) => (name?.value ?? ':').includes(':')))
    return { reason: 'tar would reach another host, or a file whose name is not known' };
  const lists = letters?.includes('t') || flags.some(({ name }) => name === '-t' || name === '--list');
  return lists ? undefined : { reason: 'tar only reads when it lists an archive with t' };
}
