// The form of a pattern of credentials.

/** `entropy`: the least bits per character of a value. `lines`: the most that it may take; default 1. `unless`: it takes no such value. */
export type CredentialPattern = {
  kind: string;
  pattern: RegExp;
  entropy?: number;
  lines?: number;
  unless?: (value: string) => boolean;
};

type Tag = (source: TemplateStringsArray, ...parts: string[]) => CredentialPattern;

/** Tags for the source of a pattern: as it is written, and in any case. */
export const [password, anyPassword] = tags('password');
export const [token, anyToken] = tags('token');
export const [authorization, anyAuthorization] = tags('authorization');
export const [slackWebhook] = tags('slack-webhook');
export const [jwt] = tags('jwt');
export const [, urlPassword] = tags('url-password');
export const [passwordHash] = tags('password-hash');
export const [privateKey] = tags('private-key');
export const [keyLines] = tags('key-lines');
export const [signature] = tags('signature');
export const [, cookie] = tags('cookie');

function tags(kind: string): [Tag, Tag] {
  const withFlags = (flags: string): Tag => {
    return (source, ...parts) => ({ kind, pattern: new RegExp(String.raw(source, ...parts), flags) });
  };
  return [withFlags('gm'), withFlags('gim')];
}
