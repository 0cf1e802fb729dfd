// Credentials in statements and on command lines, without a name before them, and as programs store them. A part of
// credential-patterns.ts, with the same rules.

import { mixed, nextWord, passwordName } from './credential-names.ts';
import { type CredentialPattern, anyCase, exact } from './credential-pattern.ts';

const content = String.raw`(?:(?!\k<quote>)[^\r\n]){1,1024}`;

/** The words of a command up to an option, on one line or as a list. */
const words = String.raw`(?=["' ,\r\n])(?:[^\r\n|;]|\r?\n[ \t]{0,60}- |\r?\n[ \t]{2,60}(?![ \t]|- )(?=\S{1,200}\r?$)){0,200}?(?<=[\s"',])`;
const word = String.raw`(?:(?<=["'])(?:(?!["'])[^\r\n\\]){1,1024}(?=\\{0,3}["'])|(?<!["'])(?![-$(])[^\s"',;|&\])]{2,1024})`;

/** Options with a password: `apart` or joined to it, by program. */
const options: readonly { programs: string; option: string; value?: 'joined' }[] = [
  { programs: '(?:mysql|mariadb)[a-z-]{0,20}|7za?|7zz|rar|unrar', option: '-p', value: 'joined' },
  { programs: 'redis-cli|redis-benchmark', option: '-a|--pass' },
  {
    programs:
      'sshpass|cqlsh|cypher-shell|beeline|psexec|rdesktop|rabbitmqadmin|evil-winrm|mongo[a-z]{0,8}|l?user(?:add|mod)|adduser|groupadd|pw|(?:docker|podman|buildah|skopeo|az|cf|oc|helm registry|crane auth) login',
    option: '-p',
  },
  { programs: 'sqlcmd|bcp|isql|tsql|ipmitool|mosquitto_[a-z]{3}|(?:un)?zip', option: '-P' },
  { programs: 'plink|pscp|psftp', option: '-pw' },
  { programs: 'ldap[a-z]{1,20}', option: '-w' },
  { programs: 'ldappasswd', option: '-[sa]' },
  { programs: 'gh secret set', option: '-b|--body' },
  { programs: 'openssl (?:enc|aes-\\S{1,20}|des3)', option: '-k|-K' },
];
/** Options with user and password, and the sign between the two. */
const pairs: readonly { programs: string; option: string; sign: string }[] = [
  {
    programs: 'curl|wget|https?|xh|siege|etcdctl',
    option: '-[A-Za-z]{0,6}[ua]|--user|--proxy-user|--auth',
    sign: ':',
  },
  { programs: 'ab', option: '-[AP]', sign: ':' },
  { programs: 'smb[a-z]{1,12}|rpcclient|winexe|wmic|net r[pa][cd]s?', option: '-U|--user', sign: '%' },
  { programs: 'lftp|ncftp[a-z]{0,4}', option: '-u', sign: ',' },
  { programs: 'nsupdate|dig', option: '-y', sign: ':(?:[\\w.-]{1,60}:)?' },
];
/** Words before a password that has no option. */
const before = [
  String.raw`rabbitmqctl (?:-\S{1,60} ){0,3}(?:add_user|change_password|authenticate_user) \S{1,60}`,
  String.raw`htpasswd (?:-\S{1,12} (?:\d{1,2} )?){0,3}-\w{0,4}b\w{0,4} (?:-\w \d{1,2} |\d{1,2} )?(?:(?=\S{0,200}[./])\S{1,200} )?\S{1,60}`,
  String.raw`mosquitto_passwd (?:-c )?-b \S{1,200} \S{1,60}`,
  String.raw`net use [^\r\n|;]{0,200}\/user:\S{1,60}`,
  String.raw`net user (?!/)\S{1,60}`,
  String.raw`smbclient (?:'|")?//\S{1,100}`,
  String.raw`mysqladmin [^\r\n|;]{0,200}? password`,
  String.raw`wpa_passphrase \S{1,60}`,
  String.raw`nmcli [^\r\n|;]{0,200}? password`,
  'vault login(?! -| \\w{1,40}=)',
  'vault operator unseal',
  String.raw`openssl passwd(?: -\w{1,9}(?: -salt \S{1,60})?){0,3}`,
];
/** After the user's name, both in quotes. */
const inQuotes = String.raw`(?<=["'][^\s"':%,]{1,100}[:%,])[^"'\r\n]{1,1024}(?=\\{0,3}["'])`;

const behind = (kept: string): CredentialPattern => exact.password`(?<keep>\b${kept})(?:${inQuotes}|${word})`;

export const commandPatterns: readonly CredentialPattern[] = [
  ...options.map(({ programs, option, value }) =>
    behind(
      `(?:${programs})${words}(?:${option})` +
        // a port on its way through a container
        (value === 'joined' ? String.raw`["']?(?!\d{1,5}:\d)` : `(?:${nextWord}|["']?)`),
    ),
  ),
  ...pairs.map(({ programs, option, sign }) =>
    behind(
      String.raw`(?:${programs})${words}(?:${option})(?:=["']?|${nextWord}|["']?)[^\s"':%,]{1,100}(?:${sign})`,
    ),
  ),
  behind(String.raw`(?:${before.join('|')}) {1,3}["']?(?![-/*])`),
  // openssl
  exact.password`(?<keep>(?<=-pass(?:in|out)?(?:[ \t]{1,3}|["'],[ ]?)["']?)pass:)[^\s"']{1,1024}`,
  // echo user:secret | chpasswd, chpasswd <<< user:secret, and its lines
  exact.password`(?<keep>\b(?:echo|printf) (?:-\w{1,3} )?["']?[\w.-]{1,60}:)[^\s"'|:\\]{1,200}(?=(?:\\n)?\\?["']? {0,3}\| {0,3}(?:sudo )?chpasswd\b)`,
  exact.password`(?<keep>\bchpasswd(?: -\w{1,3}){0,2} {0,3}<<(?:< {0,3}["']?|-? ?["']?\w{1,20}["']?\r?\n(?:[\w.-]{1,60}:\[redacted:password\]\r?\n){0,50})[\w.-]{1,60}:)[^\s"']{1,200}`,
  // the input of a program that asks for a password
  exact.password`(?<keep>\b(?:passwd --stdin|kinit|sudo -S|smbpasswd|cryptsetup|(?:docker|podman|az|oc|helm registry) login)\b[^\r\n|;<]{0,200}<<< {0,3}["']?)[^\s"'$][^\s"']{1,200}`,
  // RDP
  exact.password`(?<keep>\bxfreerdp[^\r\n|;]{0,200}? \/p:["']?)[^\s"']{1,200}`,
  // crypt, argon2, PostgreSQL and MySQL, Django
  exact.passwordHash`\$(?:(?:1|apr1)\$[./\w]{1,8}\$[./A-Za-z0-9]{22}|[56]\$(?:rounds=\d{1,9}\$)?[./A-Za-z0-9]{1,16}\$[./A-Za-z0-9]{43,86}|2[abxy]\$\d\d\$[./A-Za-z0-9]{53}|g?y\$[./A-Za-z0-9]{1,8}\$[./A-Za-z0-9]{1,64}\$[./A-Za-z0-9]{43}|argon2(?:id|i|d)\$v=\d+\$[\d,mtp=]{1,40}\$[A-Za-z0-9+/]{8,88}\$[A-Za-z0-9+/]{16,128})|\bSCRAM-SHA-256\$\d{1,9}:[A-Za-z0-9+/=]{8,64}\$[A-Za-z0-9+/=]{8,64}:[A-Za-z0-9+/=]{8,64}|\bpbkdf2_sha\d{1,3}\$\d{1,9}\$\w{1,64}\$[A-Za-z0-9+/=]{20,128}|(?<![\w*])\*[0-9A-F]{40}\b|\bmd5[0-9a-f]{32}\b`,
  // SQL
  exact.password`(?<keep>(?:(?<=\b(?:user|role|login|to)\b[^\r\n]{1,200})identified (?:with \S{1,64} )?(?:by|as)(?: password)?(?= ["'])|\b(?:user|role) \S{1,64} identified by|\bIDENTIFIED (?:(?:WITH|VIA) \S{1,64} )?(?:BY|AS|USING)(?: PASSWORD)?|(?<=\bIDENTIFIED BY [^\r\n]{1,200})\bREPLACE) (?<quote>["'])?)(?:${content}(?=\k<quote>)|(?!PASSWORD |password |["'])[^\s"';]{4,1024})`,
  // the first password of a MySQL server; a password that a sentence names
  exact.password`(?<keep>\b[Pp]assword is(?: generated for \S{1,200})?: {1,3})\S{4,1024}`,
  // the change of a plan: both values
  exact.password`(?<keep>\[redacted:password\]\\?["']? {1,3}(?:->|=>) {1,3}\\?(?<quote>["']))(?:(?!\k<quote>)[^\r\n]){1,1024}`,
  // define('DB_PASSWORD', 'secret'), env("DB_PASSWORD", default="secret")
  anyCase.password`(?<keep>\b(?:define|put|env|(?:get|set)\w{0,20})\(\s{0,3}["'][\w.-]{0,60}?${passwordName}["'],\s{0,3}(?:default\s{0,3}=\s{0,3})?(?<quote>["']))${content}`,
  // in a sentence; Vault
  exact.token`(?<keep>\b(?:with|using) token ["']?|\bUnseal Key \d{1,2}: {1,3})(?=[^\s\d]{0,64}\d)[A-Za-z0-9+/]{24,255}={0,2}(?![\w/:.-])`,
  // a MySQL address in Go
  exact.password`(?<keep>\w:)[^\s@:"'/[\]]{1,200}(?=@(?:tcp|unix)\()`,
  // network devices
  exact.password`(?<keep>\bcommunity (?="?[\w-]{1,64}"? R[OW]\b)"?|\b(?:password|secret) (?:[05789] (?=[0-9A-F]{6,}\b|\$)|(?<=\busername \S{1,64} (?:privilege \d{1,2} )?\w{1,9} )\d ))[^\s"]{3,256}`,
  // Redis AUTH, as a client and MONITOR show it, and its access lists
  exact.password`(?<keep>(?<=^\S{0,100}> ?)(?:auth|AUTH) (?:[\w.-]{1,60} )?|"(?:auth|AUTH)" (?:"[^"\r\n]{1,60}" )?"|\b(?:user|setuser|SETUSER) \S{1,60} (?:on|off) (?:[-+~&%(@a-z]\S{0,40} ){0,9}(?:>|#(?=[0-9a-f]{64}\b)))[^\s"]{3,1024}`,
  // FTP, POP3, IMAP, IRC: behind the line of the user, a tag or the mark of a client, or the words are results and events
  exact.password`(?<keep>(?:\bPASS(?<=(?:^[^\r\n]{0,60}(?:\bC[:>]|\bCommand:|\bftp>|--->|>>>)[ \t]{0,3}|^(?:[^\r\n]{0,60}[>:] ?)?USER \S{1,60}\r?\n(?:[^\r\n]{0,99}\r?\n){0,2}(?:[^\r\n]{0,60}[>:] ?)?|\bAUTHINFO )PASS)|^PASS(?= oauth:)|\bNickServ :?IDENTIFY|^(?:(?:C:|>>>|--->) OPER \S{1,30}|(?:C: \d{1,6}|(?:C: )?(?:(?:[A-Za-z]|tag)\d{1,6}|\.)) LOGIN \S{1,60})(?= {1,3}:?${mixed}[ \t]{0,3}\r?$)) {1,3}:?"?|^(?:[^\r\n]{0,20}[>:] )?(?:[A-Za-z]{0,4}\d{1,6}|[.*]) LOGIN "[^"\r\n]{1,60}" ")(?:(?<=")[^"\r\n]{1,200}|[^\s"]{4,200})(?="?[ \t]{0,3}\r?$)`,
  exact.password`(?<keep>\bAUTH(?:ENTICATE)? (?:PLAIN|LOGIN|XOAUTH2|OAUTHBEARER|CRAM-MD5) |\b334 UGFzc3dvcmQ6\r?\n(?:[^\r\n]{0,60}[:>] ?)?)(?=[A-Z0-9+/=]{0,400}[a-z])(?=[a-z0-9+/=]{0,400}[A-Z])[A-Za-z0-9+/]{6,2048}={0,2}(?=[ \t]{0,3}\r?$)`,
  // echo secret | sudo -S
  exact.password`(?<keep>\becho (?:-\w{1,3} )?(?<quote>["']?))(?:(?:(?!\k<quote>)[^\r\n|]){1,200}(?=\k<quote>)|[^\s"'|]{1,200})(?=["']? {0,3}\| {0,3}(?:sudo (?:-\w{1,9} ){0,3}-\w{0,3}S\b|(?:sudo )?passwd --stdin\b|kinit\b|(?:sudo )?smbpasswd\b|(?:sudo )?cryptsetup\b|vault login -|gh auth login --with-token|(?:docker|podman|az|helm registry) login [^\r\n|;]{0,200}--password-stdin\b))`,
  // snmpget -A secret -X secret
  exact.password`(?<keep> -[AX] {1,3}["']?)(?<=\bsnmp[a-z]{1,12} [^\r\n|;]{0,200})[^\s"'-][^\s"']{2,255}`,
  // .pgpass, and a Postfix map
  exact.password`(?<keep>^[ \t]{0,20}(?:[\w.*-]{1,100}:(?:54\d\d|6432|\*):[\w.*-]{1,60}:[a-z_*][\w.-]{0,60}:|\[[\w.-]{1,100}\](?::\d{1,5})?[ \t]{1,9}[\w.+-]{1,60}@[\w.-]{1,80}:(?!\d{1,5}$)))\S{4,200}$`,
  // Oracle
  exact.password`(?<keep>\b(?:jdbc:oracle:thin:|(?:sqlplus|expdp|impdp|sqlldr|rman target) (?:-\w{1,3} ){0,3}["']?)\w{1,60}\/)[^\s@"']{1,200}(?=@)`,
  // a user name that is a token
  exact.token`(?<keep>:\/\/)(?:[0-9a-f]{32,64}|(?=[a-z0-9]{0,64}[A-Z])(?=[A-Z0-9]{0,64}[a-z])(?=[A-Za-z]{0,64}\d)[A-Za-z0-9]{24,64})(?=(?::[^\s@/]{0,60})?@)`,
  // auths in a Docker configuration
  exact.authorization`(?<keep>"auth"\s{0,3}:\s{0,3}")(?=[^"]{0,400}[A-Z])(?=[^"]{0,400}[a-z])[A-Za-z0-9+/]{12,400}={0,2}(?=")`,
  // signed addresses and requests
  exact.signature`(?<keep>[?&](?:sig|X-Amz-Signature|X-Goog-Signature|X-Amz-Security-Token|Signature)=|\bSignature=|\bresponse=\\?["']?(?=[0-9a-f]{32}\b)(?:(?<=\bnonce=[^\r\n]{1,600})|(?=[^\r\n]{1,600}\bnonce=)))[A-Za-z0-9%+/=_-]{20,2048}`,
  // private values of a JSON Web Key
  exact.privateKey`(?<keep>"(?:d|p|q|dp|dq|qi|k)"\s{0,3}:\s{0,3}")(?=[A-Za-z_-]{0,64}\d)(?=[\w-]{20,2048}")(?:(?<="kty"[^{}]{1,2000})|(?=[^{}]{1,2000}"kty"))[\w-]{20,2048}`,
  // Telegram bots
  exact.token`(?<=\b\d{8,10}|\bbot\d{3,12}):AA[\w-]{20,100}(?![\w-])`,
];
