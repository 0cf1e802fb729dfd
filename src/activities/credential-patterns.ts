// What common credentials look like. Used by redaction, in Node. Every pattern is linear: exclusive character
// classes, bounded repeats, nothing nested. Group `keep` stays in the text; the rest becomes a mark.

export type CredentialPattern = { kind: string; pattern: RegExp };

const passwordName = String.raw`(?:passwd|password|passphrase|pwd|client_?-?secret|secret_?-?(?:access_?-?)?key|api_?-?key|access_?-?key|private_?-?key|(?:access|auth|refresh|id|session|bot|bearer)_?-?token|webhook_?-?secret|app_?-?secret)`;
const assignment = String.raw`\\?["']?\s{0,3}[:=]\s{0,3}`;
// Not a reference, a placeholder or a mark that stands there already.
const notAPlaceholder = String.raw`(?![$<{*%[]|(?:null|none|true|false|undefined|required|missing|invalid)\b)`;

export const credentialPatterns: readonly CredentialPattern[] = [
  {
    kind: 'private-key',
    pattern:
      /-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----[^]*?(?:-----END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----|$)/g,
  },
  { kind: 'aws-key', pattern: /\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b/g },
  { kind: 'github-token', pattern: /\b(?:gh[pousr]_[A-Za-z0-9]{30,255}|github_pat_[A-Za-z0-9_]{22,255})/g },
  { kind: 'gitlab-token', pattern: /\bglpat-[A-Za-z0-9_-]{20,255}/g },
  { kind: 'slack-token', pattern: /\bxox[abeoprs]-[A-Za-z0-9-]{10,255}/g },
  {
    kind: 'slack-webhook',
    pattern: /(?<keep>hooks\.slack\.com\/(?:services|workflows)\/)[A-Za-z0-9/_-]{20,200}/g,
  },
  { kind: 'api-key', pattern: /\bsk-[A-Za-z0-9_-]{20,255}/g },
  { kind: 'stripe-key', pattern: /\b[prs]k_(?:live|test)_[A-Za-z0-9]{16,255}/g },
  { kind: 'google-key', pattern: /\bAIza[A-Za-z0-9_-]{35}/g },
  { kind: 'npm-token', pattern: /\bnpm_[A-Za-z0-9]{36}\b/g },
  { kind: 'vault-token', pattern: /\bhv[sbr]\.[A-Za-z0-9_-]{20,255}/g },
  { kind: 'jwt', pattern: /\beyJ[A-Za-z0-9_-]{8,4096}\.eyJ[A-Za-z0-9_-]{8,8192}\.[A-Za-z0-9_-]{8,4096}/g },
  {
    kind: 'authorization',
    pattern:
      /(?<keep>authorization["']?\s{0,3}[:=]\s{0,3}["']?(?:(?:bearer|basic|token|digest)\s{1,3})?)[A-Za-z0-9._~+/=-]{8,8192}/gi,
  },
  { kind: 'authorization', pattern: /(?<keep>\bbearer\s{1,3})[A-Za-z0-9._~+/=-]{20,8192}/gi },
  {
    kind: 'url-password',
    pattern: /(?<keep>\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/:@"'<>]{0,100}:)[^\s/@"'<>]{1,200}(?=@)/gi,
  },
  {
    kind: 'password',
    pattern: new RegExp(
      String.raw`(?<keep>${passwordName}${assignment}(?<quote>\\?["']))${notAPlaceholder}(?:(?!\k<quote>)[^\r\n]){1,1024}`,
      'gi',
    ),
  },
  {
    kind: 'password',
    pattern: new RegExp(
      String.raw`(?<keep>${passwordName}${assignment})${notAPlaceholder}[^\s"',;&\\]{4,1024}`,
      'gi',
    ),
  },
  {
    kind: 'cookie',
    pattern:
      /(?<keep>\b(?:set-)?cookie["']?\s{0,3}:\s{0,3}["']?)[^\s"';]{8,4096}(?:;\s?[^\s"';]{1,4096}){0,50}/gi,
  },
  {
    kind: 'token',
    pattern: /(?<keep>\b(?:token|secret)\\?["']?\s{0,3}[:=]\s{0,3}\\?["']?)[A-Za-z0-9._~+/=-]{16,1024}/gi,
  },
];
