// Changes that the sandbox would prevent in any case, so nobody is asked to approve them. Only cases that are certain by
// the words are here; a person decides all others. Pure.
import { resolve } from 'node:path';
import { hasLiteralWords, type ShellAction } from '../../../../../packages/shell-judge/src/index.ts';
import type { ShellSettings } from './shell-settings.ts';

const list = (names: string): ReadonlySet<string> => new Set(names.split(/\s+/));

/** Commands that change only the files in their words. */
const ofFiles = list(
  `rm rmdir unlink shred wipe srm mv rename cp install ln mkdir touch mkfifo mknod truncate fallocate tee find
  chmod chown chgrp chattr setfacl setfattr setcap`,
);
/** Clients, which reach nothing without a network and sockets. */
const ofOthers = list(
  `curl wget ssh slogin mosh telnet rlogin rsh scp sftp ftp lftp nc ncat netcat kubectl oc helm aws az gcloud gsutil doctl
  docker podman nerdctl crictl ctr psql mysql mariadb mysqladmin mongosh mongo redis-cli cqlsh rabbitmqctl`,
);
const ofServices = list('systemctl service loginctl timedatectl hostnamectl localectl resolvectl networkctl');
/** Commands on the host's processes, kernel and packages. */
const ofMachine = list(
  `kill pkill killall skill reboot shutdown halt poweroff mount umount swapon swapoff modprobe insmod rmmod sysctl iptables
  ip6tables nft ufw apt apt-get dpkg dnf yum rpm zypper pacman apk snap`,
);

/** Private to each command. */
const ownFolders = ['/tmp', '/var/tmp', '/dev/shm', '/proc/self'];
/** Writing to a device leaves nothing, and reading from it is no file of the host. */
const device = /^\/dev\/(?!shm(\/|$))/;

/** The reason why the change is impossible; undefined if it may work. */
export function whyForbidden(action: ShellAction, cwd: string, settings: ShellSettings): string | undefined {
  const { sandbox, changes, network, unixSockets, writable } = settings;
  if (action.effect === 'read' || sandbox === 'dangerously-off' || changes !== 'sandbox') return undefined;
  const name = /^(?:\/(?:usr\/)?s?bin\/)?(\S+)/.exec(action.command)?.[1] ?? '';
  if (ofMachine.has(name)) return 'the host’s processes, kernel and packages are out of its reach';
  if (ofServices.has(name) && !unixSockets) return 'the host’s services are out of its reach';
  if (ofOthers.has(name) && !network && !unixSockets) return 'it has no network and no sockets of daemons';
  const closed = changesOnlyFiles(name, action.command) ? closedPaths(action, cwd, writable) : [];
  if (closed.length === 0) return undefined;
  const where = writable.length === 0 ? 'every file of the host is' : `all but ${writable.join(', ')} is`;
  return `${closed.slice(0, 3).join(', ')} cannot be written: ${where} read-only in it`;
}

function changesOnlyFiles(name: string, command: string): boolean {
  if (/^\d*>/.test(command)) return true;
  if (name === 'sed') return /\s(?:-[A-Za-z]*i|--in-place)/.test(command);
  return ofFiles.has(name) || (name === 'dd' && /\sof=/.test(command));
}

/** All of its paths if none of them is writable; empty otherwise, and if some are unknown. */
function closedPaths(
  { command, paths = [] }: ShellAction,
  cwd: string,
  writable: readonly string[],
): string[] {
  if (!hasLiteralWords(command)) return [];
  const named = paths.filter((path) => !/^\w+=/.test(path)).map((path) => resolve(cwd, path));
  const places = [...new Set(named)].filter((path) => !device.test(path));
  const open = [...ownFolders, ...writable];
  // also a folder around a writable one: a change of its whole content reaches that one
  const isOpen = (path: string): boolean =>
    open.some((folder) => `${folder}/`.startsWith(`${path}/`) || path.startsWith(`${folder}/`));
  return places.some(isOpen) ? [] : places;
}
