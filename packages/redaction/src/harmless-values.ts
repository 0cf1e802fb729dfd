// Recognises values in the place of a credential that are none: a placeholder, a word of state, a path, a reference, a
// measure, the cause of an error. The whole value must match; in doubt it is a secret. Pure.
import { ownSecret } from './credential-names.ts';

/** A found value, and its line on both sides. */
export type ValuePlace = { value: string; before: string; after: string };

/** Longer values count as secrets. */
const longest = 100;

export function isHarmless(place: ValuePlace): boolean {
  if (place.value.length > longest) return false;
  const line = `${place.value}${place.after}`;
  const bare = place.value.replace(/^[({]/, '').replace(/[)\]}>.:!?]{0,9}#?$/, '');
  return (
    (/^[^a-z0-9]|^x{3}/i.test(line) && placeholder.test(line)) ||
    isVariable(place) ||
    isState(bare) ||
    algorithm.test(bare) ||
    (/[/\\.]/.test(bare) && path.test(bare)) ||
    isReference(bare, line, place) ||
    isObjectName(bare, place) ||
    isMeasure(bare, line) ||
    isTyped(line) ||
    isProse(place, line)
  );
}

/** The end of a value: of a word, or of the text. */
const end = String.raw`[)\]}>.:!?]{0,9}(?=[\s"',;&\\\x60]|$)`;

/** A bracketed text that begins like a word, stars, or a mark. */
const placeholder = new RegExp(
  [
    String.raw`^(?:\$\{{2}[^{}]*\}{2}|[#@%]\{[^{}]*\}|\$\{(?!(?:\w{1,60}:?[-=+]|[\w.]{1,60}:(?![?+=-]))[^{}])[^{}]*\}`,
    String.raw`\$\{(?:env|ssm|opt|file|self|cf|vault|aws|sm|sys|secrets?|secretsmanager):[^{}]*\}`,
    String.raw`\$\{\w+:?[-=]?\$\{?\w*\}?\}|\$\{[\w.]+:?[-=+]?\[redacted:[a-z-]+\]\}|\$\([^()]*\)|\$[1-9@?]|\$env:\w+`,
    String.raw`\{{2,3}[^{}]*\}{2,3}|\{[\w .$-]*\}|<%[^<>]*%>|<[\w .:-]*>|<[a-z]+ [^<>]*>`,
    String.raw`%[\w.()-]*%|%\([\w.-]*\)s|@@\w+@@|@[A-Z_]{3,60}@|__[A-Za-z_]{3,60}__|[*•●]+|\*[a-z_]{2,40}|!!null|[xX]{3,}|\.{3,}|#{3,}|-{3,}|_{3,}`,
    String.raw`\[[A-Za-z][\w :-]*\]|\([A-Za-z][a-z]*(?: [a-z]+)+\))${end}`,
  ].join('|'),
);

/** Only a name in capitals, or one of a credential, is a variable: `$ecret1` is a password. */
function isVariable(place: ValuePlace): boolean {
  const { value } = place;
  // the key of a secret
  if (/^(?:password|username|token|secret)$/.test(value) && /secretKey\W{1,9}$/.test(place.before))
    return true;
  if (ownName.test(value) || /^\$[A-Z][A-Z0-9_]*[)\]}>.:!?]*$/.test(value)) return true;
  if (/^(?:PASSWORD|TOKEN|SECRET|PASS|KEY|STRING|TEXT|VALUE)\b/.test(value))
    return /--?[\w-]+[ =]["'[]?$/.test(place.before);
  return /^[a-z]*(?:password|secret|token|key)$/i.test(value) && assignsItself(place);
}

function assignsItself({ value, before }: ValuePlace): boolean {
  return before.endsWith(`this.${value} = `) || before.endsWith(`self.${value} = `);
}

/** A credential's name in place of its value: `$password`, `:password`, `request.password`, `DB_PASSWORD`. */
const ownName =
  /^(?:(?:VALUE|HIDDEN|REDACTED|REMOVED|MASKED|SENSITIVE|YOUR|NOT)(?:_[A-Z]+){2,9}$|[$:@](?:[a-z]{1,20}_){0,4}(?:password|passwd|pass|pwd|secret|token)|[$:@](?:[a-z]{1,20}_){1,4}key|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*_(?:PASSWORD|PASSWD|PASS|PWD|SECRET|TOKEN|KEY)|(?:[a-z]\w*(?:\??\.|->)){1,5}(?:\w{0,40}(?:Password|Passwd|Pass|Pwd|Secret|Token|Key)|(?:\w{0,40}_)?(?:password|passwd|pass|pwd|secret|token|key)))$/;

const states = [
  'yes no on off true false ok none null nil undefined n/a never always unknown default',
  'set unset empty blank missing required optional present absent provided supplied given found needed defined specified unspecified',
  'configured unconfigured stored saved loaded cached created deleted added changed unchanged updated reset renewed refreshed issued',
  'generated rotated revoked expired expires expiring valid invalid correct incorrect wrong mismatch matched matches verified unverified',
  'enabled disabled active inactive allowed forbidden accepted rejected denied granted locked unlocked used unused ignored skipped',
  'supported unsupported deprecated available unavailable failed failure succeeded success pending timeout ready error weak',
  'done pass passed skip community trial query header body primary secondary region zone',
  'hidden masked redacted removed omitted protected sensitive encrypted unencrypted decrypted hashed plaintext cleartext filtered',
  'string str secretstr text bytes boolean bool integer number char varchar varchar2 file stdin prompt interactive env pwd files compat systemd',
];
const stateWords = new Set(states.join(' ').split(' '));
const beforeState = new Set('not is was are has been no longer already never user auto'.split(' '));

/** A statement about the value instead of the value: `YES`, `not set`, `VARCHAR(255)`. Such words are hardly passwords. */
function isState(bare: string): boolean {
  const words = bare
    .toLowerCase()
    .replace(/(?:\(\d{0,5}|\[)$/, '')
    .split(/[ _-]/);
  const last = words.pop() ?? '';
  return stateWords.has(last) && words.every((word) => beforeState.has(word));
}

/** A type, or a field of a request or a page, in code. */
function isTyped(line: string): boolean {
  return /^(?:(?:Option(?:al)?|Maybe|Nullable|Secret\w{0,9}|Vec|List|Array)[<[]\w|\$_[A-Z]{3,8}\[|(?:localStorage|sessionStorage|window|document|response|headers)\.\w{1,30}[.(]|[a-z]+(?:_[a-z]+)+(?:\.[a-z_]+){1,3}(?![\w.]))/.test(
    line,
  );
}

const algorithm =
  /^(?:(?:rsa|dsa|ec|ecdsa|ed|x|aes|des|3des|chacha|hmac|sha|md|[rehp]s|scram-sha|hmac-sha)(?:[-_]?(?:[1-5]|20|128|160|192|224|256|384|512|1024|2048|3072|4096|25519)){0,2}(?:[-_/](?:gcm|cbc|ctr|oaep|pss|plus|poly1305)){0,2}|bcrypt|scrypt|argon2(?:id|i|d)?|pbkdf2|scram|aws:kms|peer|trust|ident|ldap|pam|kerberos|(?:caching_sha2|mysql_native|sha256)_password)$/i;

/** Below a usual root, relative, from home, on a drive, or a file with an extension: base64 may begin with a slash too. */
const path =
  /^(?:\$\{?\w+\}?\/[\w./-]+|\/(?:etc|var|run|home|usr|opt|tmp|mnt|srv|root|proc|sys|dev|data|app|secrets?|vault|Users|private|workspace|lib|media|nix|snap|bin|boot|Library|System|Volumes|code|src|build|config|certs?|keys?)(?:\/[\w.@+ -]*)*|(?:~|\.{1,2})(?:\/[\w.@+-]*)+|[A-Za-z]:[\\/][^\r\n]*|(?:\/?[\w.@-]+)(?:\/[\w.@-]+)*\/[\w@-]+\.(?:pem|key|crt|cert|txt|ya?ml|json|conf|cnf|cfg|ini|env|jks|p12|pfx|properties|secret|pw|pass|sh|age|gpg|asc))$/;

const scheme =
  /^(?:secrets?|vault|op|ref\+\w+|awssm|aws-sm|awssecret|sm|ssm|gcpsm|gcp-secret|azkv|akv|keyring|keychain|file|env|bws|doppler|infisical|sops):\/\//;
const located =
  /^(?:(?:vault|secret|ssm|file|sm|kv|keyring|sops|aws-ssm|aws-sm):(?=\S*[/#])[a-z/][\w./-]*(?:#[\w.-]+)?|env:[A-Z][A-Z0-9_]*|arn:[\w-]+:[\w-]+:[^\s]*|projects\/[\w-]+\/secrets\/[\w/-]+|https?:\/\/[\w.-]+(?::\d+)?(?:\/[a-z][a-z0-9.-]{0,24})*\/?)$/;
/** Words, the last one a credential's: `prod/db/password`. */
const pathOfSecret =
  /^\/?[a-z][a-z-]*(?:[/.][a-z][a-z-]*)*(?:[/#](?:[a-z]+[-_])*(?:password|passwd|secret|token|key|credentials?)|\/data\/[a-z/-]+)$/;
const tagged =
  /^(?:!(?:Ref|GetAtt|Sub|ImportValue|vault|secret|env|reference|env_var|include)\b[ .]|ENC\[|ENC\(|\{cipher\}|@Microsoft\.KeyVault\(|id=[\w-]+$|(?:id|source|src)=[\w./-]+,|vault\(|lookup\()/;
const root =
  'process\\.env|os\\.environ|os\\.getenv|System\\.get(?:env|Property)|Deno\\.env|import\\.meta\\.env|Environment\\.\\w+|ENV|env|getenv|config|cfg|settings|secrets|vars?|local|data|module|self|this|req|request|opts|options|params|props|ctx|args|input|user|body|form|credentials|creds|viper|flags?';
const code = new RegExp(
  String.raw`^(?:${root})(?:\.|\?\.|->|[[(])[A-Za-z_.$[\](?]*$|^(?:[a-z]{2,}[A-Za-z_.]*|[a-z][\w.]*_[\w.]*)\([\w.>$-]*$`,
);
/** The call or index before the quote, as in `env["`: the quoted text is a name. */
const asked = /\b(?:\w*env(?:iron)?|(?:get|lookup|fetch|read|load|find)\w*)[([]\\{0,3}["'\x60]$/i;

function isReference(bare: string, line: string, place: ValuePlace): boolean {
  if (/[:/.!{(@=[>]/.test(line)) {
    if ([scheme, located, pathOfSecret, code].some((each) => each.test(bare)) || tagged.test(line))
      return true;
  }
  return /^["'\x60]/.test(place.after) && /^[\w./-]+$/.test(bare) && asked.test(place.before);
}

const behindOwnSecret = new RegExp(String.raw`${ownSecret}\W{0,9}$`, 'i');

/** After `secret:` and `--secret` comes the name of a Kubernetes secret: words and short generated endings in lower case. */
function isObjectName(bare: string, { before }: ValuePlace): boolean {
  if (!/^(?:[a-z][a-z0-9-]{0,62}\/)?[a-z]{2,30}(?:[-.](?:[a-z]{1,30}|[a-z0-9]{1,10})){1,9}$/.test(bare))
    return false;
  if (behindOwnSecret.test(before)) return false;
  return /(?:--[\w-]{0,40}secret[ \t]+|(?:secret|serviceAccountToken)\\{0,3}["']?[ \t]*[:=][ \t]*)\\{0,3}["']?$/i.test(
    before,
  );
}

const unit =
  'bits?|bytes?|[kmg]i?b|chars?|characters?|seconds?|minutes?|hours?|days?|weeks?|months?|years?|times|attempts?|retries';
/** More digits are an id or a password. */
const counted = new RegExp(String.raw`^\(?\d{1,5}(?:[ -]?(?:${unit})|%|ms|s|h)${end}`, 'i');
const date =
  /^\d{4}-\d\d-\d\d(?:[T_]\d\d:?\d\d(?::?\d\d)?(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?)?$|^\d{1,4}(?::\d\d){2}(?:[.,]\d+)?$/;
const month =
  /^(?:January|February|March|April|June|July|August|September|October|November|December|Sept) \d/;

function isMeasure(bare: string, line: string): boolean {
  return /^\(?\d/.test(line)
    ? date.test(bare) || /^\d{1,5}\/(?:tcp|udp)$/.test(bare) || counted.test(line)
    : month.test(line);
}

/** Words that only begin a sentence; they count only before another word, because a password may be one of them. */
const grammar =
  /^(?:must|should|cannot|can't|can|could|does|doesn't|did|didn't|will|would|has|have|had|is|isn't|are|was|wasn't|were|been|may|might|the|this|that|these|your|you|with|from|into|when|while|because|after|before|which|please|only|there|they|their|too|and|for|but|than|then|until|unless|without|via|using|between|against|no|not|an?)[ \t]+[a-z'"]/i;
const phrase =
  /^(?:permission|access|authentication|login|connection|request|operation|signature|validation|verification|logon|token|password|passwords|user|account|key|secret|keystore)[ \t]+(?:was |is |has |does |do )?(?:not\b|denied|fail|refused|incorrect|invalid|timed|timeout|required|expired|locked|disabled|missing|mismatch|must|should|cannot|too|already|for (?:user|role)|unchanged|updated|changed|expiry)/i;
const sentence =
  /^(?:[\p{L}']+[ \t]+){1,4}(?:password|passwort|passe|contraseña|senha|wachtwoord|token|secret|key)[?:.]?$|^(?=(?:\S+[ \t]+){2})(?=.*\b(?:is|are|must|should|cannot|can't|may|has|have|does|do|did|needs?)\b)(?=.*\b(?:required|least|most|characters?|chars|long|short|match|valid|invalid|blank|empty|contain|include|expired?|incorrect|wrong|allowed|null|missing|weak|different|same|changed|provided)\b)/iu;

/** The first word of a cause; any other word may be a wrong password. */
const cause =
  /^\d{1,20}:error:[0-9A-F]{6,8}:\w+ |^(?:(?:x509|oauth2|pkcs\d{1,2}|asn1|ed25519|base64|http2?|exec|open|cipher|crypto\/\w+|rsa|tls|rpc|grpc|json|yaml|pem|net|dial|strconv|kms|illegal|unexpected|error|failed):|(?:open|stat|lstat|read|write|exec|fork|dial|lookup|parse|get|post|put|illegal|inappropriate|malformed|unrecognized|bad|unexpected|unknown|unable|failed|error|structure|context|status|server|message|signature|decryption|authentication|operation|remote|file|only|found|got|expected))[ \t]+["'/\w]/i;
const complaint =
  /\b(?:fail(?:ed|ure|s)?|error|err|cannot|can't|couldn't|could not|unable|invalid|bad|wrong|unexpected|while|reading|parsing|loading|getting|fetching|decoding|refreshing|decrypting|panic|fatal|passwd|\w*exception)\b/i;

/** A sentence, or the cause of an error: `failed to load private key: open /etc/tls.key: no such file`. */
function isProse(place: ValuePlace, line: string): boolean {
  const { value, after } = place;
  if (/\s/.test(value)) return sentence.test(value) || phrase.test(value) || isBetweenQuotes(place);
  if (!/^[ \t]/.test(after) || !/^[a-z\d]/i.test(value)) return false;
  const isBegun = grammar.test(line) || phrase.test(line);
  if (!isBegun && !cause.test(line)) return false;
  const { before } = place;
  return /(?::|["'\x60]|--?[\w-]+)[ \t]*$/.test(before) && (isBegun || complaint.test(before));
}

/** The text after `'passwd:'`, a quoted name. */
function isBetweenQuotes({ value, before }: ValuePlace): boolean {
  return /^[\s,.;)]/.test(value) && /(["'`])[\w.-]*[:=][ \t]*\1$/.test(before);
}
