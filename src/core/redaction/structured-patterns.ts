// Credentials whose name is near the value in a structure: pairs of name and value in any order, cells, a value on the next
// line, headers and user:password behind a name. A part of credential-patterns.ts, with the same rules.
import { noValue, openQuote, passwordName, quoted, spacedName, unquoted } from './credential-names.ts';
import { type CredentialPattern, anyPassword, anyToken, authorization } from './credential-pattern.ts';

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

export const pairPatterns: readonly CredentialPattern[] = [
  anyPassword`(?<keep>${nameIs}(?:${named}|[\w./-]{0,60}?(?:authorization|cookie))${between}${field}\\{0,3}["']?${valueIs})${value}`,
  // the value before its name
  anyPassword`(?<keep>${valueIs})${value}(?=${between}${field}\\{0,3}["']?${nameIs}${named}\\{0,3}["']?(?:[\s,}\]>/]|$))`,
  // <name>DB_PASSWORD</name><value>secret</value>, <entry key="password">secret</entry>
  anyPassword`(?<keep><name>${named}</name>\s{0,80}<value>|<\w{1,30} (?:key|name)="${named}">)[^<>\r\n]{1,1024}(?=</)`,
  // a dotted name and its value, with a blank or a short value of its own
  anyPassword`(?<keep>^[ \t]{0,20}[\w-]{1,40}\.[\w.-]{0,80}?${passwordName}[ \t]{1,9})${noValue}[^\s"';:=]{4,1024}$`,
  anyPassword`(?<keep>(?:[\w-]\.|(?<![\w-])--(?:[\w-]{1,40}-)?)(?:secret|token)[ \t]{0,9}[:=][ \t]{0,9}["']?)(?=[^\s\d]{0,64}\d)(?=[^\sA-Za-z]{0,64}[A-Za-z])[\w+/=.~-]{6,1024}(?![\w(])`,
  // a row of two cells
  anyPassword`(?<keep>^[ \t]{0,9}\|?[ \t]{0,40}[\w.-]{0,60}?${passwordName}[ \t]{0,60}\|[ \t]{1,9})[^\s|]{4,1024}(?=[ \t]{0,200}\|?[ \t]{0,9}\r?$)`,
  // alone on the next line, or after an empty one
  anyPassword`(?<keep>\b(?<!unexpected |invalid |bad )(?:password|passphrase|${spacedName}|token|secret)\b[^\r\n:"']{0,80}:[ \t]{0,9}\r?\n(?:[ \t]{0,9}\r?\n)?[ \t]{0,60}["']?)(?=[^\s\d]{0,64}\d)(?=[^\sA-Za-z]{0,64}[A-Za-z])[\w!@#$%^&*.+/=~-]{8,1024}(?=["']?,?[ \t]{0,9}(?:\r?\n|$(?![^])))`,
];

export const headerPatterns: readonly CredentialPattern[] = [
  // Vault, Consul, GitLab, Azure, Google, and those of applications
  anyToken`(?<keep>\b(?:X-(?:[A-Za-z]{1,20}-){0,4}(?:Token|Unwrap|Secret|Password|(?:Auth|Api|Access)-?Key|ApiKey|Registry-Auth)|(?:Private|Circle|Job|Deploy|Auth)-Token|(?:DD-)?(?:API|APPLICATION)-KEY|Ocp-Apim-Subscription-Key)\\{0,3}["']?[ \t]{0,3}[:=][ \t]{0,3}\\{0,3}["']?)[A-Za-z0-9._~+/=-]{4,8192}`,
  // BASIC_AUTH=user:password
  anyPassword`(?<keep>(?<![A-Za-z])(?:(?:basic|http|proxy|elastic|neo4j|smtp|registry|mongo|git|api|web|admin|ui|metrics)[_.-]?|--?(?:[\w-]{0,30}-)?|(?<=["'{,\s]|^))auth\\{0,3}["']?(?:[ \t]{0,3}[:=][ \t]{0,3}|[ \t]{1,3})\\{0,3}["']?[\w.@+-]{1,60}[:/])(?!\d{1,5}\b|\/)(?:(?<=auth\\{0,3}["']?[ \t]{0,3}[:=][ \t]{0,3}\\{0,3}["'][^"'\s]{1,62}|(?:basic|http|proxy|elastic|neo4j|smtp|registry|mongo|git|api|web|admin|ui|metrics)[_.-]?auth[^\s]{1,80}[ \t]{0,3}[^\s]{1,70})|(?=[^\s\d]{0,64}\d))[^\s"',;\\/]{4,256}`,
  // .npmrc: user and password in base64
  authorization`(?<keep>(?<![A-Za-z0-9])_auth["']?[ \t]{0,3}[:=][ \t]{0,3}["']?)[A-Za-z0-9+/]{8,1024}={0,2}(?![\w:-])`,
];
