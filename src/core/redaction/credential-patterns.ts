// Patterns of common credentials. Used by redaction, in Node. Every pattern is linear: exclusive character classes,
// bounded repeats, nothing nested, and none can begin inside a long run of its own. Group `keep` stays in the text; the
// rest becomes a mark, unless it is a placeholder.

import { commandPatterns } from './command-patterns.ts';
import {
  type CredentialPattern,
  anyAuthorization,
  anyPassword,
  anyToken,
  cookie,
  jwt,
  keyLines,
  password,
  privateKey,
  slackWebhook,
  urlPassword,
} from './credential-pattern.ts';
import { headerPatterns, pairPatterns } from './structured-patterns.ts';
import {
  assignment,
  defaultOf,
  nextWord,
  noValue,
  openQuote,
  passwordName,
  quoted,
  spacedName,
  unquoted,
} from './credential-names.ts';

/** The possible beginning of a credential at the end of a cut text, except tokens. Apply it to the last few KiB. */
export const unfinishedCredential =
  /(?<![A-Za-z0-9._-])eyJ[A-Za-z0-9._-]*$|(?<=\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/:@"'<>[]{0,100}:)(?!\d{0,5}$)[^\s@"'<>]{1,200}$/;

/** Nothing but settings of a page. */
const openCookie = String.raw`(?:(?:theme|lang|language|locale|consent|timezone|tz|currency|color[-_]scheme)=[\w.-]{0,16}|\w{1,40}=deleted|(?:path|domain|max-age|expires|samesite)=[^;\r\n"']{0,60}|secure|httponly)`;
const openCookies = String.raw`${openCookie}(?:; ?${openCookie}){0,9};?["']?[ \t]{0,9}(?:\r?$)`;

export const credentialPatterns: readonly CredentialPattern[] = [
  slackWebhook`(?<keep>hooks\.slack\.com\/(?:services|workflows)\/)[A-Za-z0-9/_-]{20,200}`,
  jwt`(?<![A-Za-z0-9_-](?<!\\[nrt]))eyJ[A-Za-z0-9_-]{8,4096}\.eyJ[A-Za-z0-9_-]{8,8192}\.[A-Za-z0-9_-]{8,4096}`,
  anyAuthorization`(?<keep>authorization["']?\s{0,3}[:=]\s{0,3}(?:\[(?!redacted:)\s{0,3})?["']?(?:(?:bearer|basic|token|digest|negotiate|ntlm|apikey|splunk|sharedkey)[ \t]{1,3})?)(?!aws4-hmac|\w{1,30}=\w|(?:negotiate|required|bearer|basic|digest)[\s"',]{0,3}$)[A-Za-z0-9._~+/=-]{8,8192}`,
  anyAuthorization`(?<keep>\bbearer\s{1,3})(?!\w{1,40}=")[A-Za-z0-9._~+/=-]{20,8192}`,
  urlPassword`(?<keep>(?<=\b[a-z][a-z0-9+.-]{1,20}):\/\/[^\s/:@"'<>[]{0,100}:)(?:[^\s/@"'<>]{1,200}|(?!\d{1,5}\/)[^\s:@"'<>?#]{1,200})(?=@)`,
  // without a quote before it, the empty group keeps `quoted` from matching
  anyPassword`(?<keep>(?:${passwordName})${assignment}(?:Str\(|(?!Str\())${defaultOf}(?:${openQuote}${defaultOf})?)(?:${quoted}|(?<!["'\x60])${unquoted})`,
  anyPassword`(?<keep>\b${spacedName}["']?(?::[ \t]{1,64}|[ \t]{0,9}=[ \t]{0,9})["']?)(?=[^\s\d]{0,200}\d)${unquoted}`,
  // environment variables
  password`(?<keep>\b(?!(?:NEXT|PAGE|CONTINUATION|PAD|EOS|BOS|UNK)_)[A-Z][A-Z0-9_]{0,60}_(?:TOKEN|SECRET|PASSWD|PW)=["']?)${unquoted}`,
  // XML
  anyPassword`(?<keep><[\w.:-]{0,60}?${passwordName}>\s{0,80})[^<>\r\n]{1,1024}(?=\s{0,80}<\/)`,
  // option and value in two words
  anyPassword`(?<keep>(?<![\w\\-])--?[\w.-]{0,40}?(?:${passwordName}|pass|secret(?![^ \t])|token)(?<!ask-password)${nextWord})${noValue}${unquoted}`,
  // .netrc, redis.conf
  anyPassword`(?<keep>(?:\blogin\s{1,20}[^\s]{1,200}\s{1,20}password|\b(?:requirepass|masterauth|bindpw|rootpw|auth-pass\s{1,3}\S{1,60}))\s{1,20}["']?)(?:(?<=")[^"\r\n]{1,1024}(?=")|${noValue}${unquoted})`,
  ...commandPatterns,
  ...pairPatterns,
  ...headerPatterns,
  // base64, as in a Kubernetes secret; not a certificate or a public key
  privateKey`\bLS0tLS1CRUdJTi(?!BDRVJU|BQVUJM|BYNTA5|BUUlVT)[A-Za-z0-9+/]{20,}={0,2}`,
  {
    // lines of a key without its beginning; whole blocks that are left by now are public, and kept
    ...keyLines`(?<keep>^[ \t]{0,20}-----BEGIN [A-Z0-9 ]{1,40}-----\r?\n(?:(?:[A-Za-z-]{1,30}: [^\r\n]{0,200})?\r?\n){0,6}(?:[ \t]{0,20}[A-Za-z0-9+/=]{1,76}\r?\n)*)|(?:^[ \t]{0,20}(?![0-9a-f]*\r?$|[0-9A-F]*\r?$)(?:[A-Za-z0-9+/]{64}|[A-Za-z0-9+/]{70}|[A-Za-z0-9+/]{76})(?:\r?\n|$(?![^]))){2,200}(?:[ \t]{0,20}[A-Za-z0-9+/]{1,75}={0,2}$)?`,
    lines: 202,
    unless: isEncodedText,
  },
  // as grep shows them; one may come alone
  keyLines`(?<keep>^[^\s:]{1,300}(?<separator>[:-])\d{1,9}\k<separator>[ \t]{0,20})(?![0-9a-f]*\r?$|[0-9A-F]*\r?$)(?:[A-Za-z0-9+/]{64}|[A-Za-z0-9+/]{70}|[A-Za-z0-9+/]{76})\r?$`,
  cookie`(?<keep>\b(?:set-)?cookie["']?\s{0,3}:\s{0,3}(?:\[(?!redacted:)\s{0,3})?["']?)(?!${openCookies})[^\s"';]{8,4096}(?:; ?[^\s"';]{1,4096}){0,50}`,
  // long enough for a token, or quoted; a value of words is the name of a secret, as in Kubernetes
  anyToken`(?<keep>\b(?<!(?:unexpected|illegal) |:secretsmanager:[\w-]{0,30}:\d{12}:|checksum\/)(?:token|secret)\\{0,3}["']?[ \t]{0,64}(?:[:!]?={1,3}>?|:(?!:))[ \t]{0,64}(?:\\{0,3}["'])?)(?!(?:[a-z]{1,30}[-_./]){0,9}(?:secret|token|credentials?|password|key|tls|cert)s?(?:[-_./][a-z0-9]{1,20}){0,9}(?![\w./+=-])|(?:[a-z]{1,20}_){1,9}[a-z]{1,20}(?![\w./+=-]))[A-Za-z0-9._~+/=-]{16,8192}`,
  anyToken`(?<keep>\bsecret[ \t]{0,9}[:=][ \t]{0,9}(?<quote>["']))(?![a-z]{1,30}(?:[-./][a-z0-9]{1,30}){1,9}\k<quote>)(?:(?!\k<quote>)[^\r\n]){4,1024}(?=\k<quote>)`,
  // any name, if the value mixes letters and digits as no word does
  anyToken`(?<keep>(?<!(?:(?:next|page|continuation|start|pad|eos|bos|unk|cancel|sync)[_-]?|:secretsmanager:[\w-]{0,30}:\d{12}:|checksum\/))(?:token|secret)\\{0,3}["']?[ \t]{0,64}[:=][ \t]{0,64}(?:\\{0,3}["'])?)(?=[A-Za-z._~+/=-]{0,64}\d)(?=[\d._~+/=-]{0,64}[A-Za-z])[A-Za-z0-9._~+/=-]{20,8192}`,
];

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const enough = 60;

/** True if its first characters are base64 of printable ASCII, which of a key's they are not. */
function isEncodedText(value: string): boolean {
  const sextets = Array.from(value.trim().slice(0, enough), (sign) => alphabet.indexOf(sign));
  if (sextets.length < enough || sextets.includes(-1)) return false;
  const bits = sextets.map((each) => each.toString(2).padStart(6, '0')).join('');
  const bytes = bits.match(/.{8}/g) ?? [];
  return bytes.every((byte) => /[\n\r\t -~]/.test(String.fromCharCode(Number.parseInt(byte, 2))));
}
