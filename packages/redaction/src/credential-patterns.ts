// Patterns of common credentials. Used by redaction, in Node. Every pattern is linear: exclusive character classes,
// bounded repeats, nothing nested, and none can begin inside a long run of its own. Group `keep` stays in the text; the
// rest becomes a mark, unless it is a placeholder.

import { commandPatterns } from './command-patterns.ts';
import { type CredentialPattern, anyCase, exact } from './credential-pattern.ts';
import {
  assignment,
  defaultOf,
  mixed,
  nextWord,
  noValue,
  openQuote,
  passwordName,
  passwordWord,
  quoted,
  random,
  spacedName,
  unquoted,
  yamlTags,
} from './credential-names.ts';

/** The possible beginning of a credential at the end of a cut text, except tokens. Apply it to the last few KiB. */
export const unfinishedCredential =
  /(?<![A-Za-z0-9._-])eyJ[A-Za-z0-9._-]*$|(?<=\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/:@"'<>[]{0,100}:)(?!\d{0,5}$)[^\s@"'<>]{1,200}$/;

/** Nothing but settings of a page. */
const openCookie = String.raw`(?:[\w.-]{1,40}=(?:[\w.-]{0,5}(?=[;"']|[ \t]{0,9}\r?$)|true|false|accepted)|(?:theme|lang|language|locale|consent|timezone|tz|currency|color[-_]scheme)=[\w.-]{0,16}|\w{1,40}=deleted|(?:path|domain|max-age|expires|samesite)=[^;\r\n"']{0,60}|secure|httponly)`;
const openCookies = String.raw`${openCookie}(?:; ?${openCookie}){0,9};?["']?[ \t]{0,9}(?:\r?$)`;

const is = String.raw`\\{0,3}["']?\s{0,3}[:=]\s{0,3}`;
const nameIs = String.raw`\b[a-z]{0,20}?(?:name|key)${is}\\{0,3}["']?`;
const named = String.raw`[\w./-]{0,60}?(?:${passwordName}|secret|token)\d{0,3}`;
/** One short field between the two, such as a type. */
const field = String.raw`(?:\\{0,3}["']?(?!name\b|key\b|value\b)[a-z]\w{0,30}${is}[^\s,{}\[\]]{1,60},?\s{0,80}){0,2}`;
/** OpenTelemetry puts the value into an object of its type. */
const typed = String.raw`(?:(?:\{|\[(?!redacted:))\s{0,80}(?:\\{0,3}"\w{1,20}\\{0,3}"\s{0,3}:\s{0,3})?){0,5}`;
/** To the other half of the same object: neither its end nor another item of a list is between them. */
const between = String.raw`\\{0,3}["']?(?:[\s}\]]{0,80},\s{0,80}|[ \t]{0,9}(?:\r?\n[ \t]{0,80}(?!- ))?)\\{0,3}["']?`;
const value = String.raw`(?:${quoted}|(?<!["'\x60])${unquoted})`;
const valueIs = String.raw`\b(?:Parameter)?value${is}${typed}(?:${openQuote})?(?!\d{1,5}\\{0,3}["']|\w{1,20}\\{0,3}"\s{0,3}:)`;

/** A header and its value, also as a tuple, a map of Go, or a directive of a proxy. */
const scheme = '(?:bearer|basic|token|digest|negotiate|ntlm|api-?key|splunk|sharedkey|hmac)';
const headerGap = String.raw`\\{0,3}["']?(?:\](?=\s{0,3}[:=]>?\s{0,3}["']))?(?:\s{0,3}[:=]>?\s{0,3}|,\s{0,3}(?=b?\\{0,3}["'](?:${scheme} )?[A-Za-z_.=-]{0,64}\d)|[ \t]{1,3}(?=["']?(?:${scheme} |(?<!authorization[ \t]{1,3}["']?))[A-Za-z_.-]{0,64}\d))(?:\[(?!redacted:)\s{0,3}(?:\]string\{)?)?(?:b?\\{0,3}["'])?`;

const belowNames = (name: string): string =>
  String.raw`(?<=${name}s["']?[ \t]{0,9}[:=]>?(?:[ \t]{0,9}[[(]?(?:\s{0,60}(?:[^\s,:[\]{}]{1,200}|["']?\[redacted:[a-z-]{1,20}\]["']?),){0,30}\s{0,60}|(?:\r?\n[ \t]{0,60}(?:- |[\w.@-]{1,60}: )(?:[^\r\n:]|redacted:){1,200}){0,30}\r?\n[ \t]{0,60}(?:- |[\w.@-]{1,60}: ))["']?)`;
const verbs = '(?:is|was|are|has|have|been|now|set|reset|changed|updated|to|as|[-–—]|ist|lautet|est|es|[éè])';

export const credentialPatterns: readonly CredentialPattern[] = [
  exact.webhook`(?<keep>hooks\.slack\.com\/(?:services|workflows|triggers)\/(?=[\w/-]{20})|discord(?:app)?\.com\/api\/(?:v\d{1,2}\/)?webhooks\/\d{1,20}\/|hooks\.zapier\.com\/hooks\/catch\/\d{1,12}\/|maker\.ifttt\.com\/trigger\/\w{1,60}\/(?:json\/)?with\/key\/|\/bot\/v2\/hook\/|\.office\.com\/webhook(?:b2)?\/|\/webhook\/send\?key=|\/(?:hooks|integration)\/(?=[A-Za-z]{0,60}\d)(?=[a-z0-9]{24}))[\w/@-]{6,300}?(?=\/?(?![\w/@-])|\/enqueue)`,
  exact.jwt`(?<![A-Za-z0-9_-](?<!\\[nrt]))eyJ[A-Za-z0-9_-]{8,4096}\.eyJ[A-Za-z0-9_-]{8,8192}\.[A-Za-z0-9_-]{8,4096}`,
  anyCase.authorization`(?<keep>authorization${headerGap}(?:${scheme}[ \t]{1,3})?)(?!aws4-hmac|\w{1,30}=\\?["']?\w|(?:negotiate|required|bearer|basic|digest)[\s"',]{0,3}$)[A-Za-z0-9._~+/=-]{8,8192}`,
  anyCase.authorization`(?<keep>\bbearer\s{1,3})(?!\w{1,40}=")[A-Za-z0-9._~+/=-]{20,8192}`,
  anyCase.urlPassword`(?<keep>(?<=\b[a-z][a-z0-9+.-]{1,20}):\/\/[^\s/:@"'<>[]{0,100}:)(?:[^\s/@"'<>]{1,200}|(?!\d{1,5}\/)[^\s:@"'<>?#]{1,200})(?=@)`,
  anyCase.cookie`(?<keep>\b(?:set-)?cookie(?:${headerGap}|[ \t]{1,9}["'])|^\S{1,200}\t(?:true|false)\t\/\S{0,99}\t(?:true|false)\t\d{1,12}\t\S{1,100}\t|(?<=\bcurl [^\r\n]{0,300})(?:-b|--cookie)[ =]["']?(?=[^\s"']{1,60}=))(?!${openCookies})(?:[^\s"';=\]]{1,200}=[^\s"';\]]{1,4096}(?=; ?|(?<=[^\s"';]{8}))|[^\s"';\]]{8,4096})(?:(?:; ?|(?<=,) (?=[\w.-]{1,60}=))[^\s"';\]]{1,4096}){0,50}`,
  // without a quote before it, the empty group keeps `quoted` from matching
  anyCase.password`(?<keep>(?:${passwordName})${assignment}(?:Str\(|(?!Str\())${defaultOf}(?:${openQuote}${defaultOf})?)(?:${quoted}|(?<!["'\x60])${unquoted})`,
  anyCase.password`(?<keep>(?<!\w)${spacedName}["'*]{0,2}(?::\*{0,2}[ \t]{1,64}|[ \t]{0,9}=[ \t]{0,9})["'\x60]?)(?=[^\s\d]{0,200}\d)(?:(?<=\x60)${mixed}|(?<!\x60)${unquoted})`,
  // a short name that is also a word
  exact.password`(?<keep>(?:(?<![\w/:-])(?<!-pass(?:in|out)? ["']?)(?:[Pp]ass|[Ss]ecret|SECRET)|(?:[\w-]\.|(?<![\w-])--(?:[\w-]{1,40}-)?)(?:secret|token))\\{0,3}["'\x60]?\]?[ \t]{0,9}(?:=>?|:(?=[ \t])|(?<=["'][ \t]{0,9}):)[ \t]{0,9}\\{0,3}["'\x60]?)(?![\w.-]{1,60}[ \t]{1,3}\w)(?=[^\s\d]{0,64}\d)(?=[^\sA-Za-z]{0,64}[A-Za-z])[\w!@#$%^&*+/=.~-]{6,1024}(?![\w!@#$%^&*+/=.~([-])`,
  // environment variables
  exact.password`(?<keep>\b(?!(?:NEXT|PAGE|CONTINUATION|PAD|EOS|BOS|UNK)_)[A-Z][A-Z0-9_]{0,60}_(?:TOKEN|SECRET|PASSWD|PW)=["']?)${unquoted}`,
  // XML
  anyCase.password`(?<keep><[\w.:-]{0,60}?${passwordName}>\s{0,80})[^<>\r\n]{1,1024}(?=\s{0,80}<\/)`,
  // option and value in two words
  anyCase.password`(?<keep>(?<![\w\\-])--?[\w.-]{0,40}?(?:${passwordName}|pass|secret(?![^ \t])|token)(?<!ask-password)${nextWord})${noValue}${unquoted}`,
  // .netrc, redis.conf
  anyCase.password`(?<keep>(?:\blogin\s{1,20}[^\s]{1,200}\s{1,20}password|\b(?:requirepass|masterauth|bindpw|rootpw|auth-pass\s{1,3}\S{1,60}))\s{1,20}["']?)(?:(?<=")[^"\r\n]{1,1024}(?=")|${noValue}${unquoted})`,
  ...commandPatterns,
  anyCase.password`(?<keep>${nameIs}(?:${named}|[\w./-]{0,60}?(?:authorization|cookie))${between}${field}\\{0,3}["']?${valueIs})${value}`,
  // the value before its name
  anyCase.password`(?<keep>${valueIs})${value}(?=${between}${field}\\{0,3}["']?${nameIs}${named}\\{0,3}["']?(?:[\s,}\]>/]|$))`,
  // <name>DB_PASSWORD</name><value>secret</value>, <entry key="password">secret</entry>
  anyCase.password`(?<keep><name>${named}</name>\s{0,80}<value>|<\w{1,30} (?:key|name)="${named}">|<key>${named}</key>\s{0,80}<(?:string|value)>)[^<>\r\n]{1,1024}(?=</)`,
  anyCase.password`(?<keep><(?:t[dh]|d[td]|b|strong|code)\b[^<>]{0,80}>\s{0,9}(?:${named}|${spacedName}):?(?:</\w{1,9}>){1,2}:?\s{0,80}(?:<\w{1,9}[^<>]{0,80}>){0,3}\s{0,9})${mixed}`,
  // a directive, alone on its line; with one blank and no word before it, its value is mixed
  anyCase.password`(?<keep>^[ \t]{0,20}(?:(?:(?:\w[\w ]{0,30} )?(?:set|setenv|env|arg|define)|\w{3,12}_param)[ \t]{1,9}[^\s=]{0,100}?(?:${passwordName}|_token|_secret)[ \t]{1,9}|[\w-]{1,40}\.[\w.-]{0,80}?${passwordName}[ \t]{1,9}|[\w.-]{0,80}?(?:(?:passw(?:or)?d|(?:secret|access|api)_?key|token)(?: {2,40}|\t{1,9})|${passwordName}[ \t](?=["']?(?:${mixed}|[A-Za-z0-9][A-Za-z0-9+/]{31,200}={0,2}["']?\r?$))))["']?)${noValue}[^\s"';]{4,1024}(?=["']?;?[ \t]{0,40}\r?$)`,
  // a row of two cells
  anyCase.password`(?<keep>^(?=[^|│┃║\r\n]{0,120}[|│┃║])[ \t]{0,9}[|│┃║]?[ \t]{0,40}[\w.-]{0,60}?${passwordName}[ \t]{0,60}[|│┃║][ \t]{1,9})[^\s|│┃║]{4,1024}(?=[ \t]{0,200}[|│┃║]?[ \t]{0,9}\r?$(?!\r?\n[ \t]{0,9}[|+├╠]?[ \t]{0,9}[-=:─═]))`,
  // a tuple
  anyCase.password`(?<keep>[({[]\s{0,3}[b:]?["']?[\w.-]{0,40}?${passwordName}["']?,?\s{0,3}b?["'])${mixed}(?=["'][)}\]])`,
  // items of a list below a plural name
  anyCase.password`(?<=[\s"',([=])(?=${mixed}(?!["']?\s{0,3}[:([]))(?!\w{1,60}\.[A-Za-z])${belowNames(passwordName)}${mixed}`,
  exact.password`(?<=[\s"',([=])(?=${random})(?!\w{1,60}\.[A-Za-z])${belowNames('(?:[Tt]oken|[Ss]ecret|TOKEN|SECRET)')}${random}(?!["']?\s{0,3}[:([])`,
  // alone on the next line, or after an empty one
  anyCase.password`(?<keep>\b(?<!unexpected |invalid |bad )(?:password|passphrase|${spacedName}|token|secret)\b[^\r\n:"']{0,80}:[ \t]{0,9}\r?\n(?:[ \t]{0,9}\r?\n)?[ \t]{0,60}["']?)(?=[^\s\d]{0,64}\d)(?=[^\sA-Za-z]{0,64}[A-Za-z])[\w!@#$%^&*.+/=~-]{8,1024}(?=["']?,?[ \t]{0,9}(?:\r?\n|$(?![^])))`,
  // Vault, Consul, GitLab, Azure, Google, and those of applications
  anyCase.token`(?<keep>\b(?:X-(?:[A-Za-z]{1,20}-){0,4}(?:Token|Unwrap|Secret|Password|(?:Auth|Api|Access)-?Key|ApiKey|Registry-Auth)|(?:Private|Circle|Job|Deploy|Auth)-Token|(?:DD-)?(?:API|APPLICATION)-KEY|Ocp-Apim-Subscription-Key)${headerGap})[A-Za-z0-9._~+/=-]{4,8192}`,
  // BASIC_AUTH=user:password
  anyCase.password`(?<keep>(?<![A-Za-z])(?:(?:basic|http|proxy|elastic|neo4j|smtp|registry|mongo|git|api|web|admin|ui|metrics)[_.-]?|--?(?:[\w-]{0,30}-)?|(?<=["'{,\s]|^))auth\\{0,3}["']?(?:[ \t]{0,3}[:=][ \t]{0,3}|[ \t]{1,3})\\{0,3}["']?[\w.@+-]{1,60}[:/])(?!\d{1,5}\b|\/)(?:(?<=auth\\{0,3}["']?[ \t]{0,3}[:=][ \t]{0,3}\\{0,3}["'][^"'\s]{1,62}|(?:basic|http|proxy|elastic|neo4j|smtp|registry|mongo|git|api|web|admin|ui|metrics)[_.-]?auth[^\s]{1,80}[ \t]{0,3}[^\s]{1,70})|(?=[^\s\d]{0,64}\d))[^\s"',;\\/]{4,256}`,
  // .npmrc: user and password in base64
  exact.authorization`(?<keep>(?<![A-Za-z0-9])_auth["']?[ \t]{0,3}[:=][ \t]{0,3}["']?)[A-Za-z0-9+/]{8,1024}={0,2}(?![\w:-])`,
  anyCase.password`(?<keep>(?<![\w$@-])(?:${passwordWord}(?: (?:for|of) [^\r\n:"']{1,80}?)?(?: ${verbs}){1,5}(?: ?:)? {1,3}|(?<=\b(?:with|and|the|use|using|generated|temporary|new|initial|default) )password |(?:密码|密碼|口令|パスワード|비밀번호|암호)(?:是|为|為|は|은|는) ?|${passwordWord}(?: (?:for|of|für|de|du|pour|para|для|voor|per) [^\r\n:"']{1,40}| \([^\r\n()]{1,40}\)| nuev[ao]| nova| nouveau):[ \t]{1,3}|(?:creds?|credentials|log ?in(?: with| as)?|user(?:name)?\/pass)[:=]? {0,2}["']?[\w.@+-]{1,60} {0,2}[:/] {0,2}(?![a-z][a-z0-9]{0,30}(?:[-.][a-z0-9]{1,30}){1,9}(?!\w))|\bfollowing password[^\r\n:"']{0,60}: {1,3}))${mixed}`,
  anyCase.password`(?<keep>(?:\bset password for \S{1,200}\s{0,3}=\s{0,3}|\bpassword\s{0,3}\(\s{0,3}|\b(?:passw(?:or)?d|passphrase)[ \t]{1,3}(?=(?<=\b(?:with|encrypted|using|(?:user|role) \S{1,60}) \w{1,10}[ \t]{1,3})|\\{0,3}["'](?:[^"'\r\n\d]{0,99}\d|[^"'\r\n]{1,99}["'][ \t;,)\]]{0,3}\r?$))|(?<![\w$@-])(?:${passwordWord}(?<!\b${spacedName})|${spacedName}(?=[^\r\n"']{0,99}["'](?=[^"'\r\n]{6})[^"'\r\n\d]{0,99}\d))(?: (?:for|of) [^\r\n:"']{1,80}?)?(?: ${verbs}){1,5}:?[ \t]{1,3})(?<quote>\\{0,3}["']))(?:(?!\k<quote>)[^\r\n]){1,1024}(?=\k<quote>)`,
  // also the name of an object may follow these
  exact.password`(?<keep>(?<![\w$@-])(?:[Tt]oken|[Ss]ecret)(?: (?:for|of) [^\r\n:"']{1,80}?)?(?: ${verbs}){1,5}(?: ?:)? {1,3})${random}`,
  // base64, as in a Kubernetes secret; not a certificate or a public key
  exact.privateKey`\bLS0tLS1CRUdJTi(?!BDRVJU|BQVUJM|BYNTA5|BUUlVT)[A-Za-z0-9+/]{20,}={0,2}`,
  {
    // lines of a key without its beginning; whole blocks that are left by now are public, and kept
    ...exact.keyLines`(?<keep>^[ \t]{0,20}-----BEGIN [A-Z0-9 ]{1,40}-----\r?\n(?:(?:[A-Za-z-]{1,30}: [^\r\n]{0,200})?\r?\n){0,6}(?:[ \t]{0,20}[A-Za-z0-9+/=]{1,76}\r?\n)*)|(?:^[ \t]{0,20}(?![0-9a-f]*\r?$|[0-9A-F]*\r?$)(?:[A-Za-z0-9+/]{64}|[A-Za-z0-9+/]{70}|[A-Za-z0-9+/]{76})(?:\r?\n|$(?![^]))){2,200}(?:[ \t]{0,20}[A-Za-z0-9+/]{1,75}={0,2}$)?`,
    lines: 202,
    unless: isEncodedText,
  },
  // as grep shows them; one may come alone
  exact.keyLines`(?<keep>^[^\s:]{1,300}(?<separator>[:-])\d{1,9}\k<separator>[ \t]{0,20})(?![0-9a-f]*\r?$|[0-9A-F]*\r?$)(?:[A-Za-z0-9+/]{64}|[A-Za-z0-9+/]{70}|[A-Za-z0-9+/]{76})\r?$`,
  // long enough for a token, or quoted; a value of words is the name of a secret, as in Kubernetes
  anyCase.token`(?<keep>\b(?<!(?:unexpected|illegal) |:secretsmanager:[\w-]{0,30}:\d{12}:|checksum\/)(?:token|secret)\\{0,3}["']?[ \t]{0,64}(?:[:!]?={1,3}>?|:(?!:))[ \t]{0,64}${yamlTags}(?:\\{0,3}["'])?)(?!(?:[a-z]{1,30}[-_./]){0,9}(?:secret|token|credentials?|password|key|tls|cert)s?(?:[-_./][a-z0-9]{1,20}){0,9}(?![\w./+=-])|(?:[a-z]{1,20}_){1,9}[a-z]{1,20}(?![\w./+=-]))[A-Za-z0-9._~+/=-]{16,8192}`,
  anyCase.token`(?<keep>\bsecret[ \t]{0,9}[:=][ \t]{0,9}(?<quote>["']))(?![a-z]{1,30}(?:[-./][a-z0-9]{1,30}){1,9}\k<quote>)(?:(?!\k<quote>)[^\r\n]){4,1024}(?=\k<quote>)`,
  // any name, if the value mixes letters and digits as no word does
  anyCase.token`(?<keep>(?<!(?:(?:next|page|continuation|start|pad|eos|bos|unk|cancel|sync)[_-]?|:secretsmanager:[\w-]{0,30}:\d{12}:|checksum\/))(?:token|secret)\\{0,3}["']?[ \t]{0,64}[:=][ \t]{0,64}(?:\\{0,3}["'])?)(?=[A-Za-z._~+/=-]{0,64}\d)(?=[\d._~+/=-]{0,64}[A-Za-z])[A-Za-z0-9._~+/=-]{20,8192}`,
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
