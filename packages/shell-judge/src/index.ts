// The entry point of the shell judge, and the only module that code outside this package imports.
export { changingParts } from './changing-parts.ts';
export { gitEnvironment } from './git-environment.ts';
export {
  type CommandJudgement,
  type CommandPlan,
  isRead,
  judgeCommand,
  maxCommandLength,
  type ShellAction,
} from './judge-command.ts';
export { hasLiteralWords, takesWordsFromInput } from './literal-words.ts';
export { quote } from './parse/quote.ts';
export { toHostOfUrl, toPlainHost } from './programs/hosts.ts';
export { mayBecomeLink, throughLinks } from './programs/proc-links.ts';
