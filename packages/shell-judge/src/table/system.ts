// The state of the machine: processes, memory, disks, services, logs, packages.
import { each, type Call, type CommandSpec, type Finding } from '../command-spec.ts';
import { toHosts } from '../programs/hosts.ts';

export const system: Record<string, CommandSpec> = {
  ...each(
    `ps free vmstat mpstat uptime w id groups whoami logname tty users arch uname lscpu lsblk
    lsmod lsusb lsmem lsns lsipc ipcs pidof pgrep pstree cal printenv locale lsb_release hostid
    atq sestatus getenforce aa-status`,
    { flags: 'any' },
  ),
  // -v runs the program of another specification
  getconf: { flags: '-a' },
  ...each('findmnt modinfo', { files: true, flags: 'any' }),
  // the names are those of a file
  who: { files: true, flags: 'any', unless: [/^--l/, 'looks up names of hosts'] },
  ...each('last lastb', {
    files: true,
    flags: 'any',
    unless: [/^-[A-Za-z]*d|^--d/, 'looks up names of hosts'],
  }),
  // -q asks a name server, and -O names a file for its answers
  lspci: { flags: '-m -n -v -k -x -b -D -t -P -s: -d:' },
  pidstat: { flags: '-d -r -u -w -h -H -I -l -p: -C: -t -s -v' },
  pmap: { flags: '-x -X -d -p -q -A:' },
  dmidecode: { flags: '-t: -s: -q -u' },
  iostat: { flags: '-c -d -h -k -m -N -p=? -s -t -x -y -z -H -g: -j=? -o:' },
  sar: { flags: '-A -b -B -d -F -H -h -m -n: -P: -p -q -r -R -S -u -v -W -w -y -f: -s: -e: -i: -t -z' },
  // without -b it ends: there is no terminal
  top: { flags: '-b -n: -d: -p: -u: -U: -H -c -i -w=? -o: -E: -e: -1 -S' },
  lastlog: { flags: '-u: -t: -b: --user= --time= --before=' },
  blkid: { flags: '-p -o: -s: -k -i -L: -U: -n: -t: -l' },
  hostname: {
    operands: 0,
    flags: '-a -A -d -f -i -I -s -y --fqdn --short --all-ip-addresses --ip-address --domain',
  },
  ...each('nisdomainname domainname dnsdomainname', { operands: 0 }),
  date: {
    files: true,
    flags: `-u -R -I=? -d: -r: -f: --utc --universal --date= --reference= --file= --rfc-3339= --rfc-email
      --iso-8601=? --debug`,
    check: ({ operands }) =>
      operands.every(({ value, prefix }) => (value ?? prefix).startsWith('+'))
        ? undefined
        : { reason: 'date sets the clock when its operand does not begin with +' },
  },
  mount: { operands: 0, flags: '-l -v -t:' },
  sysctl: {
    flags: '-a -A -X -n -e -N -r: -b --all --values --names --pattern= --ignore',
    check: ({ operands }) =>
      operands.every(({ value }) => value !== undefined && !value.includes('='))
        ? undefined
        : { reason: 'sysctl sets what is written with =' },
  },
  dmesg: {
    unless: [/^-[cC]$|^--(?:read-)?clear/, 'clears the log of the kernel'],
    flags: `-T -x -k -u -l: -f: -e -L=? -w -W -s: -d -t -r -J -P -H --ctime --decode --kernel --userspace --level=
      --facility= --reltime --color=? --follow --follow-new --show-delta --notime --raw --json --nopager --human
      --since= --until= --time-format=`,
  },
  journalctl: {
    unless: [/^--(?:vacuum|rotate|flush)/, 'removes or moves logs'],
    flags: `-0-9 -u: -n: -f -r -e -o: -p: -S: -U: -b -k -x -a -l -q -t: -g: -m -F: -N -D: -T: -c: --unit= --user-unit= --lines=
      --follow --reverse --pager-end --output= --priority= --since= --until= --boot=? --dmesg --catalog --all --full
      --quiet --identifier= --grep= --merge --field= --fields --directory= --no-pager --no-tail --no-hostname --utc
      --user --system --list-boots --disk-usage --header --facility= --output-fields= --show-cursor --cursor=
      --after-cursor= --case-sensitive=? --no-full --truncate-newline --verify`,
  },
  systemctl: {
    usage: true,
    flags: `-a -l -n: -o: -t: -p: -q -r --all --full --lines= --output= --type= --state= --property= --value --quiet
      --no-pager --plain --no-legend --user --system --failed --reverse --recursive --with-dependencies --show-types`,
    check: () => ({}),
    subcommands: {
      ...each(
        `status show cat list-units list-sockets list-timers list-jobs list-dependencies list-unit-files list-machines
        list-automounts list-paths is-active is-enabled is-failed is-system-running get-default show-environment help`,
        {},
      ),
      ...each('start stop restart try-restart reload reload-or-restart kill isolate', {
        changes: 'starts, stops or reloads services',
      }),
      ...each('enable disable mask unmask preset set-property edit revert', {
        changes: 'changes how services are set up',
      }),
      'daemon-reload': { changes: 'reads the files of all services again' },
      ...each('reboot poweroff halt suspend hibernate rescue emergency', {
        changes: 'stops or restarts the machine',
      }),
    },
  },
  hostnamectl: { check: () => ({}), subcommands: each('status', {}) },
  timedatectl: {
    check: () => ({}),
    subcommands: each('status show list-timezones timesync-status show-timesync', {}),
  },
  loginctl: {
    flags: '--no-pager --no-legend -a -l -p:',
    check: () => ({}),
    subcommands: each(
      'list-sessions list-users list-seats session-status user-status show-session show-user',
      {},
    ),
  },
  service: {
    flags: '--status-all',
    check: ({ operands: [name, verb, more] }) =>
      // the name is a file in a folder, and `..` leaves it
      name === undefined ||
      (/^\w[\w@.-]*$/.test(name.value ?? '') && verb?.value === 'status' && more === undefined)
        ? undefined
        : { reason: 'service starts, stops or reloads a service: only status reads' },
  },
  'systemd-analyze': {
    flags: '--no-pager --user --system',
    check: () => ({}),
    subcommands: each('time blame critical-chain', {}),
  },
  'systemd-cgls': { flags: '-a -l -u: --no-pager --all --full' },
  'systemd-cgtop': { flags: '-b -n: -d: -p -t -c -m -i --batch --iterations= --depth=' },
  nginx: {
    operands: 0,
    flags: '-t -T -v -V -q',
    check: needsFlag(['-t', '-T', '-v', '-V'], 'nginx without -t, -T, -v or -V starts a server'),
  },
  ...each('apachectl apache2ctl httpd apache2', {
    operands: 0,
    flags: '-t -S -v -V -M -l',
    check: needsFlag(['-t', '-S', '-v', '-V', '-M', '-l'], 'it would start a server'),
  }),
  haproxy: {
    operands: 0,
    flags: '-v',
    check: needsFlag(['-v'], 'haproxy starts a server, and a file that it checks can run Lua'),
  },
  crontab: {
    operands: 0,
    flags: '-l -u:',
    check: needsFlag(['-l'], 'crontab without -l replaces the table'),
  },
  chronyc: {
    flags: '-n -c',
    subcommands: each('tracking sources sourcestats activity ntpdata serverstats', {}),
  },
  ntpq: {
    flags: '-p -n',
    check: ({ flags, operands, name }) =>
      flags.some((flag) => flag.name === '-p')
        ? toHosts(operands, name)
        : { reason: 'ntpq without -p reads commands' },
  },
  ethtool: { operands: 1, flags: '-i -S -k -g -a -c -l -T -m -P' },
  smartctl: {
    flags: '-a -i -H -A -x -l: -j --all --info --health --attributes --xall --scan --json=?',
    // scterc,70,70 sets
    check: ({ flags }) =>
      flags.every(
        ({ name, value }) => name !== '-l' || /^[a-z]+$|^x(?:error|selftest),/.test(value?.value ?? ''),
      )
        ? undefined
        : { reason: 'smartctl -l with values can set them' },
  },
  mdadm: {
    flags: '--detail --examine --query --scan -D -E -Q -v',
    check: needsFlag(['--detail', '--examine', '--query', '-D', '-E', '-Q'], 'mdadm changes arrays'),
  },
  ...each('lvs vgs pvs lvdisplay vgdisplay pvdisplay', {
    flags: '-a -o: -v -c -C -S: -O: --noheadings --units= --separator= --nosuffix --all --options=',
  }),
  zpool: { subcommands: each('status list iostat history', { flags: '-v -x -H -o: -p -P -L -T:' }) },
  zfs: { subcommands: each('list get', { flags: '-H -r -o: -t: -s: -S: -p -d:' }) },
  ...each('pkill killall skill snice reboot shutdown halt poweroff init telinit kexec', {
    changes: 'ends processes or the machine',
  }),
  ...each('renice taskset chrt prlimit', { changes: 'changes how processes run' }),
  ...each('umount swapon swapoff losetup mkfs fsck fdisk sfdisk parted resize2fs tune2fs mkswap', {
    changes: 'changes disks',
  }),
  ...each('useradd userdel usermod groupadd groupdel passwd chpasswd chsh chfn visudo', {
    changes: 'changes accounts',
  }),
  ...each('modprobe insmod rmmod depmod ldconfig', { changes: 'changes the kernel or the loader' }),
  ...each('at batch screen tmux', { changes: 'runs commands elsewhere or later' }),
};

const packageChanges = each(
  `install reinstall remove purge autoremove uninstall upgrade full-upgrade dist-upgrade update downgrade erase add del`,
  { changes: 'installs, updates or removes packages' },
);

export const packages: Record<string, CommandSpec> = {
  dpkg: {
    unless: [/^-[irP]$|^--(?:install|remove|purge|configure|unpack)$/, 'installs or removes packages'],
    flags:
      '-l -L -S -s -p -V --list --listfiles --search --status --print-avail --get-selections --verify --audit',
    check: ({ flags }) => (flags.length > 0 ? undefined : { reason: 'dpkg without an option that lists' }),
  },
  'dpkg-query': { flags: '-l -W -f: -s -L -S -p --list --show --showformat= --status --listfiles --search' },
  rpm: {
    flags: `-q -a -i -l -f -c -d -s -R --query --all --info --list --file --last --changelog --provides --requires
      --queryformat= --qf= --scripts --whatprovides --whatrequires`,
    check: needsFlag(['-q', '--query'], 'rpm without -q changes packages'),
  },
  apt: {
    flags: '-a -q -n --installed --upgradable --all-versions --names-only --full',
    subcommands: { ...each('list show policy search depends rdepends', {}), ...packageChanges },
  },
  'apt-cache': {
    flags: '-a -q -n -f -i --installed --names-only --full --recurse --no-all-versions',
    subcommands: each('show showpkg policy search depends rdepends stats madison pkgnames', {}),
  },
  'apt-get': { subcommands: packageChanges },
  'apt-mark': { subcommands: each('showhold showauto showmanual', {}) },
  ...each('yum dnf', {
    flags: '-q -C -v --installed --available --all --upgrades --cacheonly --quiet --showduplicates',
    subcommands: {
      ...each('list info provides whatprovides search repolist deplist', {
        check: needsFlag(['-C', '--cacheonly'], 'without -C it fetches metadata and writes its cache'),
      }),
      ...packageChanges,
    },
  }),
  apk: {
    subcommands: {
      ...each('info list policy search', { flags: '-a -d -e -L -r -v -w -W -I -u --installed' }),
      ...packageChanges,
    },
  },
  snap: {
    subcommands: {
      ...each('list services', { flags: '--all --color= --unicode=' }),
      info: { flags: '--color= --unicode= --verbose', check: () => ({ hosts: ['api.snapcraft.io'] }) },
    },
  },
  ...each('pip pip3', {
    flags: '-V -q -v --disable-pip-version-check',
    subcommands: {
      ...each('list freeze', { flags: '-e -l --local --user --format= --not-required --all' }),
      ...each('show check', { flags: '-f --files' }),
      ...packageChanges,
    },
  }),
  gem: { subcommands: each('list', { flags: '-l -a -i' }) },
};

function needsFlag(names: string[], reason: string): (call: Call) => Finding | undefined {
  return ({ flags }) => (flags.some(({ name }) => names.includes(name)) ? undefined : { reason });
}
