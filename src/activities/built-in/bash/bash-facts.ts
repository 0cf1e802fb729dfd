// The actions of a command line, for the policy and for the person who approves it. Pure.
import { unlessEmpty } from '@holdfast/base/unless-empty';
import { isAbsolute, resolve } from 'node:path';
import { LRUCache } from 'lru-cache';
import { cutText } from '@holdfast/base/cut-text';
import { defined } from '@holdfast/base/defined';
import { present } from '@holdfast/base/present';
import { toVisible } from '@holdfast/base/visible';
import type { CallAction, CallFacts } from '@holdfast/vocabulary/tool-spec';
import { digestOf } from '../../base/digest.ts';
import {
  type CommandJudgement,
  hasLiteralWords,
  isRead,
  judgeCommand,
  mayBecomeLink,
  type ShellAction,
  takesWordsFromInput,
  throughLinks,
} from '@holdfast/shell-judge';
import { whereItRuns } from './describe-shell.ts';
import { namesHost } from '../http/http-allow-list.ts';
import type { ShellSettings } from './shell-settings.ts';

export type JudgedCommand = Extract<CommandJudgement, { ok: true }>;

/** A person reads all that is approved, and the question has no room for more. */
const maxShown = 15_000;

/**
 * Added because the literal paths and hosts of a changing command do not show the others that it reaches, by a variable
 * or after `cd`. No rule that allows by path or host can then match it; rules that ask or deny match the literal ones.
 */
const unknownPlace = '(and what is not known before it runs)';

/** Shown to a person: the line as it will run, and its place. */
function previewOf(judged: JudgedCommand, cwd: string, settings: ShellSettings): string {
  return `${judged.shown}\n(${whereItRuns(settings, isRead(judged), cwd)})`;
}

/** An approval is bound to this, beside the arguments: everything that the person was shown. */
export function basisOf(judged: JudgedCommand, cwd: string, settings: ShellSettings): string {
  return digestOf(previewOf(judged, cwd, settings));
}

const judgements = new LRUCache<string, CommandJudgement>({ max: 100 });

/** A line is judged when its call is prepared, approved and run; equal lines share one judgement. */
export function judgeLine(command: string, cwd: string, { environment }: ShellSettings): CommandJudgement {
  const names = Object.keys(environment);
  const key = JSON.stringify([command, resolve(cwd), names]);
  const judged = judgements.get(key) ?? judgeCommand(command, resolve(cwd), names);
  judgements.set(key, judged);
  return judged;
}

export function inspectCommand(command: string, cwd: string, settings: ShellSettings): CallFacts {
  const judged = judgeLine(command, cwd, settings);
  if (!judged.ok) return denyCommand(command, judged.reason);
  const { actions, shown } = judged;
  const reads = isRead(judged);
  if (!reads && toVisible(shown).length > maxShown)
    return denyCommand(
      command,
      `The command changes something and is longer than ${maxShown} characters, too long to be approved.`,
    );
  const fromInput = takesWordsFromInput(actions.map((action) => action.command));
  const toAction = (action: ShellAction): CallAction => ({
    ...placed(action, cwd),
    ...reasonOf(action, actions.length > 1),
    ...ownVerdict(action, cwd, settings, fromInput),
  });
  return {
    // an assignment or a test alone runs nothing
    actions: actions.length === 0 ? [{ effect: 'read', command: shown }] : actions.map(toAction),
    preview: previewOf(judged, cwd, settings),
    ...defined({ basis: reads ? undefined : basisOf(judged, cwd, settings) }),
  };
}

function denyCommand(command: string, reason: string): CallFacts {
  return { actions: [{ effect: 'once', command: cutText(command, 200), reason, decision: 'deny' }] };
}

function placed({ effect, command, paths, unknownPaths, hosts }: ShellAction, cwd: string): CallAction {
  const more = effect === 'read' ? [] : [unknownPlace];
  const resolved = paths?.map((path) => resolve(cwd, path)) ?? [];
  const linked = paths?.map((path) => throughLinks(absolute(cwd, path)));
  const begins = present([
    ...(unknownPaths ?? []).map((text) => beginningFrom(cwd, text)),
    linked?.includes(undefined) && '',
  ]);
  return defined({
    effect,
    command,
    paths: linked && [...new Set(present([...resolved, ...linked, ...more]))],
    unknownPaths: unlessEmpty([...new Set(begins)]),
    hosts: hosts && [...hosts, ...more],
  });
}

/** A beginning that ends in a folder keeps its slash: `/etc/` is not `/etcetera`. */
function beginningFrom(cwd: string, begins: string): string {
  if (begins === '') return '';
  const path = throughLinks(absolute(cwd, begins));
  if (path === undefined) return '';
  const isFolder = begins.endsWith('/');
  const found = isFolder && path !== '/' ? `${path}/` : path;
  return mayBecomeLink(found) ? '' : found;
}

function absolute(cwd: string, path: string): string {
  return isAbsolute(path) ? path : `${cwd}/${path}`;
}

function reasonOf({ command, reason }: ShellAction, isPart: boolean): Pick<CallAction, 'reason'> {
  if (reason === undefined) return {};
  return { reason: isPart ? `In "${cutText(command, 60)}": ${reason}.` : `${reason}.` };
}

function ownVerdict(
  action: ShellAction,
  cwd: string,
  settings: ShellSettings,
  fromInput: boolean,
): Pick<CallAction, 'reason' | 'decision'> {
  const { effect, reason, decision } = action;
  const { changes, network, sandbox, hosts } = settings;
  if (effect !== 'read' && changes === 'never')
    return {
      decision: 'deny',
      reason: `${reason ?? 'It changes something'}. Only commands that read run here.`,
    };
  const forbidden = whyForbidden(action, cwd, settings);
  if (forbidden !== undefined)
    return {
      decision: 'deny',
      reason: `Not possible in the sandbox, so nobody is asked: ${reason ?? 'it changes something'}, and ${forbidden}. Use another tool, or leave it to a person in your answer.`,
    };
  // a request can carry away anything that was read before
  const reachesOut = network || sandbox === 'dangerously-off';
  const stranger = reachesOut ? action.hosts?.find((host) => !namesHost(hosts, host)) : undefined;
  if (effect === 'read' && stranger !== undefined)
    return { decision: 'ask', reason: `It reaches ${stranger}, which http.allow does not name.` };
  // the file may be a protected one, which the words do not show
  if (effect !== 'read' && decision === undefined && (fromInput || !hasLiteralWords(action.command)))
    return {
      decision: 'ask',
      reason: `${reason ?? 'It changes something'}, and not all of its words are known before it runs.`,
    };
  return decision === undefined ? {} : { decision };
}

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

/**
 * The reason why the sandbox would prevent the change in any case, so that nobody is asked to approve it; undefined if it
 * may work. Only cases that are certain by the words are here.
 */
function whyForbidden(action: ShellAction, cwd: string, settings: ShellSettings): string | undefined {
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
