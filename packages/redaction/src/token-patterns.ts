// Tokens recognised by their form: the vendored list (token-forms/), and shorter or older forms of our own. A form is
// tried only if its keyword is in the text; one pass finds all keywords. The rules of credential-patterns.ts apply.
import { escapeRegExp } from '@holdfast/base/reg-exp';
import type { CredentialPattern } from './credential-pattern.ts';
import { type TokenForm, tokenForms } from './token-forms/forms.ts';

/** `begins`: the beginnings of a token, as sources of regular expressions. */
type OwnForm = CredentialPattern & { begins: readonly string[] };

/**
 * Beginnings of tokens that name their vendor, beside the forms of gitleaks (token-forms/). Written by hand from what such
 * tokens look like; not checked against each vendor's documentation. GitHub's list has the names of vendors:
 * https://docs.github.com/en/code-security/reference/secret-security/supported-secret-scanning-patterns. A token is the
 * beginning and at least `min` characters of `[A-Za-z0-9_-]`, one of them a digit.
 */
// oxfmt-ignore
const tokenPrefixes: readonly { kind: string; min: number; begins: readonly string[] }[] = [
  { kind: 'aws-key', min: 40, begins: ['ABSK'] },
  { kind: 'google-key', min: 20, begins: ['GOCSPX-', 'AQ\\.Ab8', '1//0'] },
  { kind: 'gitlab-token', min: 16, begins: ['glrt-', 'gldt-', 'glptt-', 'glft-', 'glsoat-', 'glimt-', 'glagent-', 'glcbt-', 'glffct-', 'gloas-'] },
  { kind: 'vault-token', min: 20, begins: ['hvb\\.', 'hvr\\.'] },
  { kind: 'api-key', min: 20, begins: ['nvapi-', 'r8_', 'xai-', 'pplx-', 'lsv2_pt_', 'lsv2_sk_', 'fw_', 'tgp_v1_'] },
  { kind: 'token', min: 12, begins: ['rzp_live_', 'rzp_test_'] },
  {
    kind: 'token', min: 20,
    begins: [
      'figd_', 'sntrys_', 'sntryu_', 'phc_', 'phx_', 'tskey-auth-', 'tskey-api-', 'tskey-client-', 'sbp_', 'sb_secret_', 're_',
      'whsec_', 'ATATT3x', 'ATCTT3x', 'ATBB', 'NRAK-', 'NRJS-', 'NRII-', 'sq0atp-', 'sq0csp-', 'bkua_', 'CCIPAT_', 'dp\\.(?:pt|ct|sa|scim|audit)\\.',
      'dp\\.st\\.[a-z0-9_-]{1,40}\\.', 'PMAK-', 'pnu_', 'rdme_', 'ntn_', 'xkeysib-', 'xsmtpsib-', 'nfp_', 'sgp_', 'fm2_', 'fo1_', 'rnd_',
      'HRKU-', 'dckr_oat_', 'dckr_pat_', 'ptr_', 'n8n_api_', 'CFPAT-', 'tfp_', 'essu_', 'CCDB1_', 'napi_', 'hcaik_', 'AstraCS:', 'mlsn\\.',
      'xnd_(?:production|development)_', 'cfut_', 'cfat_', 'mdb_sa_sk_', 'y0_Ag', 'pat-(?:na|eu)1-', 'LTAI', 'AKID', 'secret_', 'FLWSECK-',
      'FLWSECK_', 'ory_at_', 'ory_rt_', 'ory_ac_', 'shippo_live_', 'shippo_test_', 'lin_oauth_', 'vcp_', 'vci_', 'vca_', 'vck_', 'sha256~', 
      'dt0c01\\.', 'pscale_oauth_', 'rpa_', 'key-[0-9a-f]{12}', 'apify_api_', 
    ],
  },
];

const ownForms: readonly OwnForm[] = [
  { kind: 'aws-key', pattern: /\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b/g, begins: ['A[KS]IA', 'A[BC][IC]A'] },
  {
    kind: 'github-token',
    pattern: /\b(?:gh[pousr]_[A-Za-z0-9]{30,255}|github_pat_[A-Za-z0-9_]{22,255})/g,
    begins: ['gh[pousr]_', 'github_pat_'],
  },
  { kind: 'gitlab-token', pattern: /\bglpat-[A-Za-z0-9_-]{20,255}/g, begins: ['glpat-'] },
  { kind: 'slack-token', pattern: /\bxox[abeoprs]-[A-Za-z0-9-]{10,255}/g, begins: ['xox[abeoprs]'] },
  { kind: 'api-key', pattern: /\bsk-[A-Za-z0-9_-]{20,255}/g, begins: ['sk-'] },
  {
    kind: 'stripe-key',
    pattern: /\b[prs]k_(?:live|test)_[A-Za-z0-9]{16,255}/g,
    begins: ['[prs]k_(?:live|test)'],
  },
  { kind: 'google-key', pattern: /\bAIza[A-Za-z0-9_-]{35}/g, begins: ['AIza'] },
  { kind: 'npm-token', pattern: /\bnpm_[A-Za-z0-9]{36}\b/g, begins: ['npm_'] },
  { kind: 'vault-token', pattern: /\bhv[sbr]\.[A-Za-z0-9_-]{20,255}/g, begins: [String.raw`hv[sbr]\.`] },
  {
    kind: 'token', // other vendors
    pattern:
      /(?:\bSG\.[\w-]{16,32}\.[\w-]{30,64}|ya29\.[\w-]{20,400}|pypi-AgE[\w-]{40,400}|hf_[A-Za-z0-9]{30,64}|glsa_\w{32,64}|xapp-[\w-]{20,255}|gsk_[A-Za-z0-9]{40,64}|AGE-SECRET-KEY-1[A-Z0-9]{50,64})(?![\w-])|(?<![\w.])s\.(?=[A-Za-z]{0,23}\d)[A-Za-z0-9]{24}\b/g,
    // oxfmt-ignore
    begins: [
      String.raw`SG\.`, String.raw`ya29\.`, 'pypi-AgE', 'hf_', 'glsa_', 'xapp-', 'gsk_',
      'AGE-SECRET-KEY-1', String.raw`s\.\w{24}\b`,
    ],
  },
  ...tokenPrefixes.flatMap(({ kind, min, begins }) =>
    begins.map((begin) => ({
      kind,
      pattern: new RegExp(
        String.raw`(?<![\w.-])${begin}(?=[A-Za-z_-]{0,200}\d)(?![a-z]{1,30}(?:[_-][a-z]{1,30}){0,9}(?![\w-]))[\w-]{${min},1024}={0,2}`,
        'g',
      ),
      begins: [begin],
    })),
  ),
];

/** An escaped character in JSON or an address: its last letter does not belong to the word after it. */
const escaped = String.raw`\\[nrt]|\\u00[0-9a-f]{2}|%[0-9A-F]{2}`;

/** A form that must begin a word is also found after such an escape. */
function atWords(pattern: string): string {
  const start = /(?<=^(?:\(\?i?:)?)(?:\\b|\(\?<!\[(?:A-Za-z0-9|\\w\.-)\]\))/;
  return pattern.replace(start, (found) => `(?:${found}|(?<=${escaped}))`);
}

/** For forms whose listed keywords do not begin the token, or begin too many other words. */
const better: Record<string, { begins?: string[]; within?: string[] }> = {
  'airtable-personnal-access-token': { begins: [String.raw`pat\w{14}\.`] },
  'aws-access-token': { begins: ['A3T[A-Z0-9]{17}', 'A[KS]IA', 'A[BC][IC]A'] },
  'azure-ad-client-secret': { within: [String.raw`\dQ~`] },
  'cloudflare-origin-ca-key': { begins: [String.raw`v1\.0-[0-9a-f]{24}`] },
  'hashicorp-tf-api-token': { within: [String.raw`\.atlasv1\.`] },
  'intra42-client-secret': { begins: ['s-s4t2'] },
  'maxmind-license-key': { within: ['_mmk'] },
  'microsoft-teams-webhook': { within: ['webhookb2'] },
  'openai-api-key': { begins: ['sk-'] },
  'slack-config-access-token': { begins: ['xoxe'] },
  'twilio-api-key': { begins: ['SK[0-9a-fA-F]{32}'] },
  'vault-service-token': { begins: [String.raw`hvs\.`, String.raw`s\.\w{24}\b`] },
};

type Form = CredentialPattern & { begins: readonly string[]; within: readonly string[] };

const forms: readonly Form[] = [
  // of two forms with one beginning, the longer one describes the token better
  ...tokenForms.toSorted((one, other) => other.pattern.length - one.pattern.length).map(toForm),
  ...ownForms.map((form) => ({
    ...form,
    pattern: new RegExp(atWords(form.pattern.source), 'g'),
    within: [],
  })),
];

function toForm({ id, pattern, keywords, entropy }: TokenForm): Form {
  const { within = [], begins = within.length > 0 ? [] : keywords.map((word) => spelled(word, pattern)) } =
    better[id] ?? {};
  // the rest of the word belongs to the token: of two forms with one beginning, the shorter would leave a part
  return {
    kind: kindOf(begins),
    pattern: new RegExp(String.raw`(?:${atWords(bounded(pattern))})[\w-]{0,1024}`, 'g'),
    entropy,
    begins,
    within,
  };
}

/** The list has some without an end. */
function bounded(pattern: string): string {
  return pattern.replaceAll(/\{(\d+),\}/g, '{$1,8192}');
}

/** The vendor's name, if a form of our own has the same beginning. */
function kindOf(places: readonly string[]): string {
  const isAlike = (own: string): boolean =>
    places.some((place) => place === own || new RegExp(`^(?:${own})`).test(place));
  return ownForms.find((form) => form.begins.some(isAlike))?.kind ?? 'token';
}

/** In the form's own case, or in any case if the form ignores it. */
function spelled(keyword: string, pattern: string): string {
  const plain = pattern.replaceAll('\\', '');
  const at = plain.toLowerCase().indexOf(keyword);
  if (at < 0 || /^(?:\\b)?\(\?i:/.test(pattern)) return `(?i:${escapeRegExp(keyword)})`;
  return escapeRegExp(plain.slice(at, at + keyword.length));
}

/** Longest first, so that a shorter beginning does not win. */
function allOf(places: readonly string[]): string {
  return [...new Set(places)].toSorted((one, other) => other.length - one.length).join('|');
}

const begins = allOf(forms.flatMap((form) => form.begins));
const within = allOf(forms.flatMap((form) => form.within));
/** A token begins a word. */
const keyword = new RegExp(String.raw`(?<![A-Za-z0-9](?<!${escaped}))(?=\w)(?:${begins})|${within}`, 'g');

const beginnings = forms.map((form) => new RegExp(`^(?:${[...form.begins, ...form.within].join('|')})`));

/** Matches a token whose end may follow in the next piece, like `unfinishedCredential`. */
export const unfinishedToken = new RegExp(`(?<![A-Za-z0-9._-])(?:${begins})[A-Za-z0-9._-]*$`);

/** The forms whose tokens may be in the text, in their order. */
export function tokenPatternsIn(text: string): CredentialPattern[] {
  const words = new Set<string>();
  for (const [word] of text.matchAll(keyword)) words.add(word);
  if (words.size === 0) return [];
  const found = [...words];
  return forms.filter((_, index) => found.some((word) => beginnings[index]?.test(word)));
}

/** Bits per character; few for a repeated word or for `xxxx`. */
export function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  return [...counts.values()].reduce(
    (sum, count) => sum - (count / text.length) * Math.log2(count / text.length),
    0,
  );
}
