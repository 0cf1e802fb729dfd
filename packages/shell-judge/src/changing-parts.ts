// The changing parts of a command line, for people who see it cut. Nothing is executed here.
import { parse } from 'unbash';
import { judgeScript } from './judge-script.ts';

/** In the order of the line; empty if it only reads, or cannot be parsed. */
export function changingParts(line: string): string[] {
  try {
    const actions = judgeScript(parse(line), line, { beginsAtRoot: false, environment: [] });
    return actions.flatMap(({ effect, command }) => (effect === 'read' ? [] : [command]));
  } catch {
    return [];
  }
}
