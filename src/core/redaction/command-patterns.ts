// Credentials in statements and on command lines, without a name before them, and as programs store them. A part of
// credential-patterns.ts, with the same rules.

import { noValue, passwordName } from './credential-names.ts';

const content = String.raw`(?:(?!\k<quote>)[^\r\n]){1,1024}`;

export const commandPatterns: readonly { kind: string; pattern: RegExp }[] = [
  {
    kind: 'password-hash', // crypt, argon2, PostgreSQL and MySQL, Django
    pattern:
      /\$(?:(?:1|apr1)\$[./\w]{1,8}\$[./A-Za-z0-9]{22}|[56]\$(?:rounds=\d{1,9}\$)?[./A-Za-z0-9]{1,16}\$[./A-Za-z0-9]{43,86}|2[abxy]\$\d\d\$[./A-Za-z0-9]{53}|g?y\$[./A-Za-z0-9]{1,8}\$[./A-Za-z0-9]{1,64}\$[./A-Za-z0-9]{43}|argon2(?:id|i|d)\$v=\d+\$[\d,mtp=]{1,40}\$[A-Za-z0-9+/]{8,88}\$[A-Za-z0-9+/]{16,128})|\bSCRAM-SHA-256\$\d{1,9}:[A-Za-z0-9+/=]{8,64}\$[A-Za-z0-9+/=]{8,64}:[A-Za-z0-9+/=]{8,64}|\bpbkdf2_sha\d{1,3}\$\d{1,9}\$\w{1,64}\$[A-Za-z0-9+/=]{20,128}|(?<![\w*])\*[0-9A-F]{40}\b|\bmd5[0-9a-f]{32}\b/g,
  },
  {
    kind: 'password', // SQL
    pattern: new RegExp(
      String.raw`(?<keep>\b(?<=\b(?:user|role|login|to)\b[^\r\n]{1,200})identified\s{1,9}(?:with\s{1,9}\S{1,64}\s{1,9})?(?:by|as)\s{1,9}(?:password\s{1,9})?(?<quote>\\{0,3}["']))${content}`,
      'gi',
    ),
  },
  {
    kind: 'password', // Oracle
    pattern:
      /(?<keep>\b(?:user|role|USER|ROLE) \S{1,64} (?:identified by|IDENTIFIED BY) )(?!PASSWORD |password )[^\s"';]{1,1024}/g,
  },
  {
    kind: 'password', // SQL, and sentences that quote the password
    pattern: new RegExp(
      String.raw`(?<keep>(?:\bset password for \S{1,200}\s{0,3}=\s{0,3}|\bpassword\s{0,3}\(\s{0,3}|\b(?:passwd|password|passphrase)(?:\s{1,3}(?:is|was|to|set to|changed to)){0,1}\s{1,3})(?<quote>\\{0,3}'))${content}(?=\k<quote>)`,
      'gi',
    ),
  },
  {
    kind: 'password', // the first password of a MySQL server; a password that a sentence names
    pattern: /(?<keep>\b[Pp]assword is(?: generated for \S{1,200})?: {1,3})\S{4,1024}/g,
  },
  {
    kind: 'password', // the change of a plan: both values
    pattern:
      /(?<keep>\[redacted:password\]\\?["']? {1,3}(?:->|=>) {1,3}\\?(?<quote>["']))(?:(?!\k<quote>)[^\r\n]){1,1024}/g,
  },
  {
    kind: 'password', // mysql -psecret
    pattern:
      /(?<keep>\b(?:mysql|mariadb)[a-z-]{0,20} [^\r\n|;]{0,200}?(?<= )-p["']?)(?!\d{1,5}:\d)(?:(?<=")[^"\r\n]{1,200}|(?<=')[^'\r\n]{1,200}|[^\s"']{3,1024})/g,
  },
  {
    kind: 'password',
    pattern:
      /(?<keep>\b(?:redis-cli [^\r\n|;]{0,200}?(?<= )-a|sshpass -p|(?:docker|podman|az|cf|helm registry) login [^\r\n|;]{0,200}?(?<= )-p|mongo[a-z]{0,8} [^\r\n|;]{0,200}?(?<= )-p|sqlcmd [^\r\n|;]{0,200}?(?<= )-P|gh secret set [^\r\n|;]{0,200}?(?<= )(?:-b|--body)|ldap[a-z]{1,20} [^\r\n|;]{0,200}?(?<= )-w) {0,2}["']?)[^\s"'-][^\s"']{2,1024}/g,
  },
  {
    kind: 'password', // curl -u user:password
    pattern:
      /(?<keep>\b(?:curl|wget|http|https) [^\r\n|;]{0,300}?(?<= )(?:-[A-Za-z]{0,6}u ?|-a |--user[ =]|--proxy-user[ =])(?<quote>["']?)[^\s"':]{1,100}:)(?:(?:(?!\k<quote>)[^\r\n]){1,1024}(?=\k<quote>)|[^\s"']{1,1024})/g,
  },
  {
    kind: 'password', // define('DB_PASSWORD', 'secret'), env("DB_PASSWORD", default="secret")
    pattern: new RegExp(
      String.raw`(?<keep>\b(?:define|put|env|(?:get|set)\w{0,20})\(\s{0,3}["'][\w.-]{0,60}?${passwordName}["'],\s{0,3}(?:default\s{0,3}=\s{0,3})?(?<quote>["']))${content}`,
      'gi',
    ),
  },
  {
    kind: 'password', // a table of two columns; aws configure set name secret
    pattern: new RegExp(
      String.raw`(?<keep>(?:passw(?:or)?d|(?:secret|access|api)_?key|token)(?:(?<=^[ \t]{0,40}[\w.-]{0,100})(?: {2,40}|\t{1,9})|(?<=\bset \S{0,100}) {1,3})["']?)${noValue}[^\s"';]{4,1024}(?=["']?[ \t]{0,40}$)`,
      'gim',
    ),
  },
  {
    kind: 'password', // in a sentence, if letters and digits are mixed
    pattern:
      /(?<keep>(?:(?<=\b(?:with|[Gg]enerated|[Tt]emporary|[Nn]ew|[Ii]nitial|[Dd]efault) )password (?:is |was )?|\b[Pp]assword [^\r\n:"']{1,60} (?:set|changed|reset) to:? {1,3}|\b[Pp]assword for [^\r\n:"']{1,80} (?:is|was)(?: ?:)? {1,3}|\bfollowing password[^\r\n:"']{0,60}: {1,3}))(?=[^\s\d]{0,64}\d)(?=[^\sA-Za-z]{0,64}[A-Za-z])[\w!@#$%^&*.+-]{6,64}(?![\w/:=])/g,
  },
  {
    kind: 'token', // in a sentence; Vault
    pattern:
      /(?<keep>\b(?:with|using) token ["']?|\bUnseal Key \d{1,2}: {1,3})(?=[^\s\d]{0,64}\d)[A-Za-z0-9+/]{24,255}={0,2}(?![\w/:.-])/g,
  },
  {
    kind: 'password', // a MySQL address in Go
    pattern: /(?<keep>\w:)[^\s@:"'/[\]]{1,200}(?=@(?:tcp|unix)\()/g,
  },
  {
    kind: 'password', // network devices
    pattern:
      /(?<keep>\bcommunity (?="?[\w-]{1,64}"? R[OW]\b)"?|\b(?:password|secret) (?:[05789] (?=[0-9A-F]{6,}\b|\$)|(?<=\busername \S{1,64} (?:privilege \d{1,2} )?\w{1,9} )\d ))[^\s"]{3,256}/g,
  },
  {
    kind: 'password', // openssl
    pattern: /(?<keep>-pass(?:in|out)? {1,3}["']?pass:)[^\s"']{1,1024}/g,
  },
  {
    kind: 'password', // Redis AUTH, as a client and MONITOR show it, and its access lists
    pattern:
      /(?<keep>(?<=^\S{0,100}> ?)(?:auth|AUTH) (?:[\w.-]{1,60} )?|"(?:auth|AUTH)" (?:"[^"\r\n]{1,60}" )?"|\b(?:user|setuser|SETUSER) \S{1,60} (?:on|off) (?:[-+~&%(@a-z]\S{0,40} ){0,9}(?:>|#(?=[0-9a-f]{64}\b)))[^\s"]{3,1024}/gm,
  },
  {
    kind: 'password',
    pattern:
      /(?<keep>\becho (?:-\w{1,3} )?["']?[\w.-]{1,60}:)[^\s"'|:]{1,200}(?=\\?["']? {0,3}\| {0,3}(?:sudo )?chpasswd\b)/g,
  },
  {
    kind: 'password', // echo secret | sudo -S
    pattern:
      /(?<keep>\becho (?:-\w{1,3} )?(?<quote>["']?))(?:(?:(?!\k<quote>)[^\r\n|]){1,200}(?=\k<quote>)|[^\s"'|]{1,200})(?=["']? {0,3}\| {0,3}(?:sudo (?:-\w{1,9} ){0,3}-\w{0,3}S\b|(?:sudo )?passwd --stdin\b|(?:docker|podman|az|helm registry) login [^\r\n|;]{0,200}--password-stdin\b))/g,
  },
  {
    kind: 'password', // the last argument
    pattern:
      /(?<keep>\b(?:rabbitmqctl (?:-\S{1,60} ){0,3}(?:add_user|change_password|authenticate_user) \S{1,60}|htpasswd -\w{0,4}b\w{0,4} (?:\S{1,200} )?\S{1,60}|net use [^\r\n|;]{0,200}\/user:\S{1,60}) {1,3}["']?)[^\s"'/*-][^\s"']{2,1024}/gi,
  },
  {
    kind: 'password', // snmpget -A secret -X secret
    pattern: /(?<keep> -[AX] {1,3}["']?)(?<=\bsnmp[a-z]{1,12} [^\r\n|;]{0,200})[^\s"'-][^\s"']{2,255}/g,
  },
  {
    kind: 'password', // .pgpass, and a Postfix map
    pattern:
      /(?<keep>^[ \t]{0,20}(?:[\w.*-]{1,100}:(?:54\d\d|6432|\*):[\w.*-]{1,60}:[a-z_*][\w.-]{0,60}:|\[[\w.-]{1,100}\](?::\d{1,5})?[ \t]{1,9}[\w.+-]{1,60}@[\w.-]{1,80}:(?!\d{1,5}$)))\S{4,200}$/gm,
  },
  {
    kind: 'password', // ENV in a Dockerfile, with a space
    pattern: new RegExp(
      String.raw`(?<keep>^[ \t]{0,20}(?:ENV|ARG) \w{0,60}?(?:${passwordName}|_TOKEN|_SECRET) {1,9}["']?)[^\s"']{4,1024}(?=["']?$)`,
      'gim',
    ),
  },
  {
    kind: 'password', // Oracle
    pattern:
      /(?<keep>\b(?:jdbc:oracle:thin:|(?:sqlplus|expdp|impdp|sqlldr|rman target) (?:-\w{1,3} ){0,3}["']?)\w{1,60}\/)[^\s@"']{1,200}(?=@)/g,
  },
  {
    kind: 'token', // a user name that is a token
    pattern:
      /(?<keep>:\/\/)(?:[0-9a-f]{32,64}|(?=[a-z0-9]{0,64}[A-Z])(?=[A-Z0-9]{0,64}[a-z])(?=[A-Za-z]{0,64}\d)[A-Za-z0-9]{24,64})(?=(?::[^\s@/]{0,60})?@)/g,
  },
  {
    kind: 'authorization', // auths in a Docker configuration
    pattern:
      /(?<keep>"auth"\s{0,3}:\s{0,3}")(?=[^"]{0,400}[A-Z])(?=[^"]{0,400}[a-z])[A-Za-z0-9+/]{12,400}={0,2}(?=")/g,
  },
  {
    kind: 'signature', // signed addresses and requests
    pattern:
      /(?<keep>[?&](?:sig|X-Amz-Signature|X-Goog-Signature|X-Amz-Security-Token|Signature)=|\bSignature=)[A-Za-z0-9%+/=_-]{20,2048}/g,
  },
  {
    kind: 'token', // Telegram bots
    pattern: /(?<=\b\d{8,10}):AA[\w-]{33}(?![\w-])/g,
  },
];
