// The names before a credential, and the characters between a name and its value. Sources of regular expressions, for the
// flag `i`; used by credential-patterns.ts.

/** `bypass`, `first_pass` and `proxy_pass` hold no password. A lookbehind after the name checks this faster. */
const pass =
  '_pass(?<!(?:first|second|third|last|one|two|multi|single|by|tests?|proxy|fastcgi|uwsgi|scgi|grpc)_pass)';
const otherLanguages =
  'passwort|kennwort|mots?[ _]?de[ _]?passe|contrase[ñn]as?|(?<![a-z])senha|wachtwoord|парол[ья]|has[łl]o|heslo|l[öo]senord|adgangskode|passord|salasana|jelsz[óo]|[şs]ifre|密码|密碼|口令|パスワード|비밀번호|암호|mật khẩu|kata sandi';
const password = String.raw`(?:passwd|password|passphrase)(?<!(?:\bno|\/etc\/|pam_unix\(|(?:native|sha2|sha256)_)pass[a-z]{2,6})|(?:bind|root|admin)pw|(?:admin|user|db|root|mail|smtp|ftp|redis|mysql|key|store)pass(?![a-z])|psk(?= ?=)(?<=\bpsk)|psk(?<=-sec\.psk)|${otherLanguages}`;
/** Secrets of an application itself. After other names, e.g. in Kubernetes, the value may be the name of a secret. */
export const ownSecret =
  '(?:client|app|application|webhook|jwt|session|cookie|signing|hmac|shared|encryption|consumer|oauth|master|credentials)[_.-]?secret';
const secret = `(?:auth|api)[_.-]?secret|${ownSecret}`;
const key =
  'secret[_.-]?(?:access[_.-]?)?key(?<!password_?secret_?key)(?:_base)?|(?:api|app|auth|account|signing|encryption|private|master|licen[cs]e|subscription)[_.-]?key|access[_.-]?key(?!=["\'].["\'])|shared[_-]?key(?<!pre_shared_key)';
const token =
  '(?:access|auth|refresh|id|session|bot|bearer|api|private|security|csrf|xsrf)[_.-]?token(?<!valid[_-]?token)';
/** As in a title or a sentence; there the value must have a digit. */
export const spacedName =
  '(?:(?:client|shared) secret|secret (?:access )?key|(?:api|access|account|encryption|private) key|(?:root|access|auth|refresh|session|bearer|api) token|clave|parola|mdp|pw|passcode|palavra-passe)';
const suffix = String.raw`(?:\d{1,3}|[_-]?(?:hash|confirm|confirmation|old|new|prod|production|staging|dev|test))?`;

export const passwordName = `(?:${pass}|${password}|pwd|${secret}|${key}|${token})${suffix}`;
/** As the subject of a sentence. */
export const passwordWord = `(?:passw(?:or)?d|passphrase|${otherLanguages}|${spacedName})`;

const equals = String.raw`(?:[:!]?={1,3}>?|:(?!:|\*\*|(?<=\$\{\w{1,60}:)[?+])|:(?::|\*\*)(?=[ \t])|：|%3[ad]|(?<=[ \t])(?:->|→)(?=[ \t])|\.{3,60}[ \t]?:?(?=[ \t]))`;
export const yamlTags = String.raw`(?:(?:!!(?!null)[a-z]{1,9}|&[\w-]{1,40}) ){0,2}`;
/** Up to the value on the same line, or to a value alone on the next: `password: |` in YAML. */
const gap = String.raw`[ \t]{0,64}${yamlTags}(?:(?:[|>][+-]?[ \t]{0,3})?\r?\n[ \t]{1,64}(?=string\(|[^\s:]{1,1024}[ \t]{0,64}(?:\r?\n|$)))?(?:string\(\d{1,6}\) )?`;

export const assignment = String.raw`\\{0,3}["'\x60]?(?:\*\*)?(?:(?<!\[redacted:[a-z-]{1,30})\])?[ \t]{0,64}${equals}${gap}`;

/** Between an option and its value: blanks, or the next item of a list in JSON, YAML, code or `kubectl describe`. */
export const nextWord = String.raw`(?:\\{0,3}["'],?[ \t]{0,9}(?:\r?\n[ \t]{0,60})?\\{0,3}["']|["']?[ \t]{1,3}(?:\\\r?\n[ \t]{1,40})?["']?|(?<=^[ \t]{0,60}(?:- )?["']?-[\w.-]{1,60})["']?,?[ \t]{0,9}\r?\n[ \t]{0,60}(?:- )?["']?(?=[^[])(?=[^\s:]{1,1024}[ \t]{0,60}(?:\r?\n|$(?![^])))|(?<=\[[^\]\r\n]{0,200}),[ \t]{0,3})`;

/** `${DB_PASSWORD:-` starts a default, which is a value; `${env:DB_PASSWORD}` is none. */
export const defaultOf = String.raw`(?:\$\{(?!(?:env|ssm|opt|file|self|cf|vault|aws|sm|sys|secret|secrets|secretsmanager):)(?:\w{1,60}:?[-=+]|[\w.]{1,60}:(?![?+=-]))(?=[^}$])(?!\[redacted:))?`;

/** Also `b'`, `N'` and `encrypt("`. */
export const openQuote = String.raw`(?:[\w.]{1,40}\(|\[\]string\{|[bnrufe@$]{1,2})?(?<quote>\\{0,3}["'\x60])`;
export const quoted = String.raw`(?:(?!\k<quote>)(?:\\[^\r\n]|[^\r\n\\])){1,8192}`;
/** Excludes closing brackets, which belong to the text around, calls, whose value is in quotes, and marks of other patterns. */
export const unquoted = String.raw`(?!\[?\[redacted:|!![a-z]{1,9} |(?:[\w.]{1,40}\(|\[\]string\{)["'\x60])(?:(?!<\/)[^\s"',;&\\]){3,8191}[^\s"',;&\\)\]}<>]`;

/** At least six characters, letters and digits: a word, a number or a path is no secret where only a sentence tells its name. */
export const mixed = String.raw`(?=[A-Za-z_!@#$%^&*.+~-]{0,64}\d)(?=[\d_!@#$%^&*.+~-]{0,64}[A-Za-z])(?!(?:base|sha|md|hs|rs|es|rsa|utf|oauth|argon|[bs]crypt|ed|x|k8|http|ipv?|tls)-?\d)[\w!@#$%^&*.+~-]{5,64}[\w!@#$%^&*+~-](?![\w!@#$%^&*+/:=~-]|\.\w)`;

/** Also both cases or a sign, and a digit inside, as in no name of an object or an algorithm. For patterns with exact case. */
export const random = String.raw`(?=[^\s"',a-z]{0,64}[a-z][^\s"',a-z]{0,64}[a-z])(?=[^\s"',]{0,64}[A-Z!#$%^&*+~])(?=[^\s"',]{0,64}\d[A-Za-z!#$%^&*+~])${mixed}`;

/** Words of a sentence about an option, in the place of its value. */
export const noValue = String.raw`(?!-|(?:must|option|flag|with|from|file|prompt|value|argument|which|that|this|when|before|after|cannot|required|missing|invalid|wrong|incorrect|failed|and|or|is|in|for|to|on|your|has|can|should|will|may|maybe|called|instead|respectively|commands?|description|options?|switch|switches|parameters?|arguments?|settings?|mode|function|requests?|prompts?)\b)`;
