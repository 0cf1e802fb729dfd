// The form of a pattern of credentials.
import { recordOf } from '@holdfast/base/map-values';

/** `entropy`: the least bits per character of a value. `lines`: the most that it may take; default 1. `unless`: it takes no such value. */
export type CredentialPattern = {
  kind: string;
  pattern: RegExp;
  entropy?: number;
  lines?: number;
  unless?: (value: string) => boolean;
};

// oxfmt-ignore
const kinds = ['password', 'token', 'authorization', 'webhook', 'jwt', 'urlPassword', 'passwordHash', 'privateKey', 'keyLines', 'signature', 'cookie'] as const;
type Tags = Record<(typeof kinds)[number], ReturnType<typeof tag>>;

/** Tags for the source of a pattern of a kind, as it is written and in any case. In a mark the kind has hyphens. */
export const exact = tags('gm');
export const anyCase = tags('gim');

function tags(flags: string): Tags {
  return recordOf(kinds, (kind) => tag(kind, flags));
}

function tag(name: string, flags: string) {
  const kind = name.replace(/[A-Z]/, (letter) => `-${letter.toLowerCase()}`);
  return (source: TemplateStringsArray, ...parts: string[]): CredentialPattern => ({
    kind,
    pattern: new RegExp(String.raw(source, ...parts), flags),
  });
}
