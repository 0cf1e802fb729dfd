// Programs about the network. A command that reaches a host names it, so that the policy can judge the host.
import { present } from '@holdfast/base/present';
import { each, type Call, type CommandSpec, type Finding } from '../command-spec.ts';
import type { Argument } from '../parse/argument.ts';
import { toHosts, toPlainHost, toUrlHost } from '../programs/hosts.ts';

const hostOperands = ({ name, operands }: Call): Finding => toHosts(operands, name);

const iptables: CommandSpec = {
  flags: '-L -S -n -v -x -t: --list --list-rules --line-numbers --numeric --verbose --table=',
  check: ({ flags }) =>
    flags.some(({ name }) => ['-L', '-S', '--list', '--list-rules'].includes(name))
      ? undefined
      : { reason: 'it only reads with -L or -S' },
};

export const network: Record<string, CommandSpec> = {
  ss: {
    flags: `-t -u -l -n -p -a -e -o -m -i -s -x -w -4 -6 -r -H -O -Z -b -d -M -S -0 --tcp --udp --listening --numeric
      --processes --all --extended --options --memory --info --summary --unix --raw --ipv4 --ipv6 --resolve --no-header
      --oneline --family= -f:`,
    check: namesInFilter,
  },
  netstat: { flags: 'any' },
  arp: { operands: 1, flags: '-a -n -e -v -i:', check: hostOperands },
  route: { operands: 0, flags: '-n -e -4 -6 -v' },
  ifconfig: { operands: 1, flags: '-a -s' },
  ip: {
    flags: '-4 -6 -s -d -o -br -brief -c -j -p -h -a -all -stats -details -json',
    style: 'words',
    optionsFirst: true,
    check: judgeIp,
  },
  ...each('iptables ip6tables', iptables),
  ...each('iptables-save ip6tables-save', { operands: 0, flags: '-c -t:' }),
  nft: { flags: '-a -n -s -j -nn --handle', subcommands: { list: { check: judgeNft } } },
  dig: { flags: '-t: -p: -4 -6 -u -v -c: -x: -q:', check: judgeDig },
  host: { flags: '-t: -a -v -4 -6 -W: -R: -r -T -C -c: -d -s', check: hostOperands },
  // its options take no separate value
  nslookup: {
    // it continues to read commands
    usage: false,
    style: 'words',
    flags: '-type=? -query=? -debug -timeout=? -port=? -retry=?',
    check: judgeNslookup,
  },
  getent: { flags: '-s: --service= -i', check: judgeGetent },
  ping: { flags: '-c: -i: -W: -w: -s: -n -q -4 -6 -I: -t: -D -O -v -M:', check: hostOperands },
  ping6: { flags: '-c: -i: -W: -w: -s: -n -q', check: hostOperands },
  // only some versions take a value for -w and -p: an apparent value could be a host
  ...each('traceroute traceroute6', {
    flags: '-n -4 -6 -m: -q: -w: -I -T -U -p: -i: -f: -e -r',
    check: hostOperands,
  }),
  tracepath: { flags: '-n -4 -6 -b -m: -p: -l:', check: hostOperands },
  mtr: {
    flags: `-n -4 -6 -r -w -b -e -p -c: -i: -m: -f: -T -u -j -C --report --report-wide --report-cycles= --no-dns
      --show-ips --interval= --tcp --udp --json --csv`,
    check: hostOperands,
  },
  whois: { check: hostOperands },
  nc: { flags: '-z -v -w: -u -n -4 -6 -i:', check: judgeNc },
  ncat: { flags: '-z -v -w: -u -n -4 -6', check: judgeNc },
  netcat: { flags: '-z -v -w: -u -n -4 -6', check: judgeNc },
  // an interface may be on another host: rpcap://
  tcpdump: {
    files: true,
    flags: '-i: -n -c: -v -e -A -X -x -r: -s: -l -q -t -D -p -S -#',
    check: namesInFilter,
  },
  curl: {
    // the addresses that it opens are judged below
    opens: false,
    unless: [/^-[sSfkvi]*[dFT]|^--(?:data|json|form|upload-file)/, 'sends data'],
    flags: `-s -S -f -L -I -i -v -k -g -N -# -0 -4 -6 -q -A: -e: -m: -o: -w: -H: -r: -X: -D: --silent --show-error --fail --fail-with-body
      --location --head --include --verbose --insecure --globoff --no-buffer --user-agent= --referer= --max-time=
      --connect-timeout= --output= --write-out= --header= --range= --request= --compressed --http1.0 --http1.1 --http2
      --retry= --retry-delay= --retry-max-time= --retry-connrefused --no-progress-meter --tlsv1.2 --tlsv1.3 --cacert=
      --path-as-is --max-redirs= --noproxy= --ipv4 --ipv6 --url= --dump-header= --progress-bar --disable --get -G`,
    check: judgeCurl,
  },
  wget: {
    opens: false,
    flags: `-q -O: -S -T: -t: -4 -6 -v --quiet --output-document= --server-response --timeout= --tries= --spider
      --no-check-certificate --no-verbose --method= --header= --user-agent= -U: --max-redirect=`,
    check: judgeWget,
  },
  ...each('ssh slogin mosh telnet rlogin rsh', { changes: 'runs commands on another host', ask: true }),
  ...each('scp sftp rsync ftp lftp rclone rdiff-backup', { changes: 'copies files between hosts' }),
  ...each('socat nmap hping3 arping iperf iperf3 wall write mail mailx sendmail', { changes: 'sends data' }),
};

const ipObjects =
  /^(?:a|addr|address|l|link|r|route|n|neigh|neighbor|neighbour|rule|ru|maddr|tunnel|netns|nexthop)$/;

// ip accepts abbreviations, so a verb is a read only in this spelling
function judgeIp({ operands: [object, verb, ...rest] }: Call): Finding | undefined {
  if (object === undefined || verb === undefined)
    return object === undefined || ipObjects.test(object.value ?? '') ? undefined : notShown;
  if (!ipObjects.test(object.value ?? '') || !/^(?:show|list|ls|get|sh)$/.test(verb.value ?? ''))
    return notShown;
  // `ip netns exec` is a verb; after show only selectors follow
  return rest.every(({ value }) => value !== undefined) ? undefined : notShown;
}
const notShown: Finding = { reason: 'ip only reads with show, list or get' };

// nft joins its words to one text, in which `;` begins another command
function judgeNft({ operands }: Call): Finding | undefined {
  return operands.every(({ value }) => /^[\w.-]+$/.test(value ?? ''))
    ? undefined
    : { reason: 'nft list takes only plain words' };
}

const recordTypes = /^(?:A|AAAA|ANY|AXFR|CAA|CNAME|MX|NS|PTR|SOA|SRV|TXT|IN|CH)$/i;
/** Query options that send only the name: +domain= and +subnet= would send more. dig completes abbreviations. */
const digOptions =
  /^\+(?:no)?(?:short|trace|tcp|vc|recurse|rec|dnssec|answer|all|comments|cmd|stats|question|authority|additional|multiline|nssearch|identify|ttlid|search|cookie|adflag|cdflag|ignore|fail|qr)$|^\+(?:time|timeout|tries|retry|bufsize|edns|ndots)=\d+$/;

function judgeDig({ flags, operands }: Call): Finding {
  const isOption = ({ value, prefix }: Argument): boolean => (value ?? prefix).startsWith('+');
  const unknown = operands.find((word) => isOption(word) && !digOptions.test(word.value ?? ''));
  if (unknown) return { reason: `dig: ${unknown.text} is not an option that is known to only read` };
  const names = operands
    .filter((word) => !isOption(word) && !recordTypes.test(word.value ?? word.prefix))
    .map((word) => (word.value === undefined ? word : { ...word, value: word.value.replace(/^@/, '') }));
  const named = flags.flatMap(({ name, value }) => (/^-[xq]$/.test(name) && value ? [value] : []));
  return toHosts([...names, ...named], 'dig');
}

const localDatabases =
  /^(?:passwd|group|shadow|gshadow|services|protocols|rpc|ethers|aliases|initgroups|netgroup)$/;

function judgeGetent({ flags, operands: [database, ...keys] }: Call): Finding | undefined {
  // a service is the name of a library that is loaded
  const services = /^(?:[a-z]+:)?(?:files|dns|systemd|myhostname|mymachines|resolve|sss|ldap|compat)$/;
  if (flags.some(({ name, value }) => name !== '-i' && !services.test(value?.value ?? '')))
    return { reason: 'getent: the service is not known' };
  if (/^(?:a?hosts(?:v[46])?|networks)$/.test(database?.value ?? '')) return toHosts(keys, 'getent');
  return database === undefined || localDatabases.test(database.value ?? '')
    ? undefined
    : { reason: `getent: the database ${database.text} is not known` };
}

/** Names in a filter of addresses are looked up. */
function namesInFilter({ flags, operands, name }: Call): Finding {
  const given = flags.flatMap((flag) => (flag.name === '-i' && flag.value ? [flag.value] : []));
  const unknown = [...given, ...operands].find(({ value }) => value === undefined);
  if (unknown) return { reason: `${name}: the filter is not known before it runs: ${unknown.text}` };
  const names = operands.flatMap(({ value }) => value?.match(/[\w-]+(?:\.[\w-]+)+/g) ?? []);
  return { hosts: names.filter((word) => /[a-z]/i.test(word)).map(toPlainHost) };
}

function judgeNc({ flags, operands, name }: Call): Finding {
  const scans = flags.some((flag) => flag.name === '-z');
  const [host, ...ports] = operands;
  if (!scans || !ports.every(({ value }) => /^\d+(?:-\d+)?$/.test(value ?? '')))
    return { reason: `${name} only reads with -z, a host and ports` };
  return toHosts(host ? [host] : [], name);
}

// without a name nslookup reads names and commands from its input
function judgeNslookup({ operands }: Call): Finding {
  return operands.length === 0
    ? { reason: 'nslookup without a name reads commands' }
    : toHosts(operands, 'nslookup');
}

function judgeCurl({ flags, operands }: Call): Finding {
  for (const { name, value } of flags) {
    const text = value?.value;
    if (
      /^-o$|^--output$|^-D$|^--dump-header$/.test(name) &&
      !/^(?:-|\/dev\/(?:null|stdout|stderr))$/.test(text ?? '')
    )
      return { reason: 'curl writes a file', paths: present([text]) };
    if (/^-X$|^--request$/.test(name) && !/^(?:GET|HEAD|OPTIONS)$/.test(text ?? ''))
      return { reason: 'curl sends another method than GET or HEAD' };
    // -w can write files, and `@` reads the value from one
    if (/^-w$|^--write-out$/.test(name) && (text === undefined || /^@|%output|%\{on?output/.test(text)))
      return { reason: 'curl -w can write files: write the format without %output' };
    if (/^-H$|^--header$/.test(name) && (text === undefined || /^@|x-http-method|x-method/i.test(text)))
      return { reason: 'curl sends a header from a file, or one that changes the method' };
  }
  const urls = [
    ...operands,
    ...flags.flatMap(({ name, value }) => (name === '--url' && value ? [value] : [])),
  ];
  const found = urlHosts(urls, 'curl');
  const redirected = flags.find(({ name }) => /^-L$|^--location$/.test(name));
  // the first host may redirect it to any other
  if (redirected === undefined || found.reason !== undefined) return found;
  return { ...found, reason: `curl ${redirected.name} follows redirects to hosts that are not known` };
}

function judgeWget({ flags, operands }: Call): Finding {
  const named = (wanted: RegExp) => flags.filter(({ name }) => wanted.test(name));
  const outputs = named(/^-O$|^--output-document$/);
  const spider = named(/^--spider$/).length > 0;
  if (!spider && outputs.length === 0) return { reason: 'wget writes a file: -O - prints it' };
  if (outputs.some(({ value }) => !/^(?:-|\/dev\/null)$/.test(value?.value ?? '')))
    return { reason: 'wget writes a file: -O - prints it' };
  if (named(/^--method$/).some(({ value }) => !/^(?:GET|HEAD)$/.test(value?.value ?? '')))
    return { reason: 'wget sends another method than GET or HEAD' };
  if (named(/^--header$/).some(({ value }) => /x-http-method|x-method/i.test(value?.value ?? 'x-method')))
    return { reason: 'wget sends a header that changes the method' };
  const found = urlHosts(operands, 'wget');
  const redirects = named(/^--max-redirect$/);
  const follows = redirects.length === 0 || redirects.some(({ value }) => value?.value !== '0');
  if (!follows || found.reason !== undefined) return found;
  return {
    ...found,
    reason: 'wget follows redirects to hosts that are not known: --max-redirect=0 shows them instead',
  };
}

function urlHosts(urls: Call['operands'], program: string): Finding {
  const hosts: string[] = [];
  for (const url of urls) {
    const host = toUrlHost(url);
    if (typeof host !== 'string') return { reason: `${program}: ${host.reason}` };
    hosts.push(host);
  }
  return { hosts };
}
