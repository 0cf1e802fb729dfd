// Variables that whoever runs a judged command gives it: without them git writes where it only reads, waits for a person, or
// starts programs that the repository's own config names.
const settings = [
  ['core.fsmonitor', 'false'],
  ['log.showSignature', 'false'],
  ['log.diffMerges', 'separate'],
  ['format.pretty', 'medium'],
  ['diff.submodule', 'short'],
  ['diff.autoRefreshIndex', 'false'],
] as const;

export const gitEnvironment: Readonly<Record<string, string>> = {
  GIT_PAGER: 'cat',
  GIT_TERMINAL_PROMPT: '0',
  GIT_OPTIONAL_LOCKS: '0',
  // a missing object would be fetched, by any program
  GIT_NO_LAZY_FETCH: '1',
  GIT_CONFIG_COUNT: String(settings.length),
  ...Object.fromEntries(
    settings.flatMap(([key, value], at) => [
      [`GIT_CONFIG_KEY_${at}`, key],
      [`GIT_CONFIG_VALUE_${at}`, value],
    ]),
  ),
};
