// The paths that the sandbox hides: the usual places of credentials, and of other processes. A list is never complete;
// the rights of the worker's user are the first wall. Runs in Node.
import { hasCode } from '@holdfast/base/has-code';
import { lstat, readFile, readdir, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Identity } from './identity.ts';

export type HiddenPath = { path: string; kind: 'folder' | 'file' };

/** In every home folder of /etc/passwd. */
// oxfmt-ignore
const inHomes = [
  // keys and tokens
  '.ssh', '.gnupg', '.netrc', '.authinfo', '.authinfo.gpg', '.git-credentials', '.config/git/credentials',
  '.config/gh', '.config/hub', '.config/glab-cli', '.password-store', '.vault-token', '.config/op', '.config/temporalio',
  '.local/share/keyrings', '.pki', '.age', '.config/sops', '.step',
  // clouds and clusters
  '.aws', '.azure', '.config/gcloud', '.config/doctl', '.config/hcloud', '.oci', '.boto', '.s3cfg', '.mc',
  '.config/rclone', '.rclone.conf', '.kube', '.docker', '.config/containers', '.terraform.d', '.terraformrc',
  '.config/helm', '.fly', '.config/heroku',
  // databases and packages
  '.pgpass', '.my.cnf', '.mylogin.cnf', '.mongorc.js', '.rediscli_auth', '.npmrc', '.yarnrc.yml', '.pypirc',
  '.cargo/credentials', '.cargo/credentials.toml', '.m2/settings.xml', '.gradle/gradle.properties',
  '.gem/credentials', '.config/composer/auth.json', '.composer/auth.json', '.nuget',
  // histories of input
  '.bash_history', '.zsh_history', '.ash_history', '.history', '.local/share/fish', '.python_history',
  '.psql_history', '.mysql_history', '.rediscli_history', '.node_repl_history', '.lesshst', '.viminfo',
  // browsers and agents
  '.mozilla', '.config/google-chrome', '.config/chromium', '.claude', '.claude.json', '.codex', '.gemini',
];

// oxfmt-ignore
const ofSystem = [
  '/root',
  '/etc/shadow', '/etc/shadow-', '/etc/gshadow', '/etc/gshadow-', '/etc/security/opasswd',
  '/var/backups/shadow.bak', '/var/backups/gshadow.bak',
  '/etc/sudoers', '/etc/sudoers.d', '/etc/sudo.conf', '/etc/doas.conf', '/etc/krb5.keytab',
  '/etc/ssl/private', '/etc/pki/tls/private', '/etc/pki/private', '/etc/letsencrypt',
  '/etc/wireguard', '/etc/openvpn', '/etc/ipsec.secrets', '/etc/ipsec.d/private', '/etc/ppp',
  '/etc/NetworkManager/system-connections', '/etc/wpa_supplicant',
  '/etc/credstore', '/etc/credstore.encrypted', '/var/lib/systemd/credential.secret',
  '/etc/kubernetes', '/etc/rancher', '/var/lib/kubelet', '/var/lib/rancher',
  '/var/lib/docker', '/var/lib/containerd', '/var/lib/containers', '/etc/docker/key.json',
  '/etc/mysql/debian.cnf', '/etc/vault.d',
  '/var/lib/cloud', '/var/lib/sss', '/run/secrets',
];

/** Sockets, locks and secrets of running programs; only the parts that a person would look at are shown. */
export const ofRunning = ['/run', '/var/run', '/var/tmp'];
export const shownOfRunning = ['/run/log', '/run/systemd/resolve', '/run/utmp'];

const sshHostKeys = { folder: '/etc/ssh', name: /^ssh_host_.*key$/ };

/** Real paths of existing ones, each once. A path out of the user's reach is hidden already. */
export async function findHiddenPaths(
  more: readonly string[],
  { canReach }: Pick<Identity, 'canReach'>,
): Promise<HiddenPath[]> {
  const homes = await homeFolders();
  const named = [
    ...ofSystem,
    ...ofRunning,
    ...(await namesIn(sshHostKeys)),
    ...(await Promise.all(homes.map(namesInHome))).flat(),
    ...more,
  ];
  const found = (await Promise.all(named.map(look))).flat();
  const unique = [...new Map(found.map((hidden) => [hidden.path, hidden])).values()];
  const reached = await Promise.all(unique.map(({ path }) => canReach(path)));
  return unique.filter((_, index) => reached[index]);
}

async function homeFolders(): Promise<string[]> {
  const users = await readFile('/etc/passwd', 'utf8').catch(() => '');
  const named = users.split('\n').map((line) => line.split(':')[5] ?? '');
  // throws for a user without one
  const own = await Promise.resolve()
    .then(homedir)
    .catch(() => '');
  return [...new Set([own, ...named])].filter((home) => home.startsWith('/') && home !== '/');
}

// One listing of the folder instead of a check for each name. A folder that cannot be listed may still be entered.
async function namesInHome(home: string): Promise<string[]> {
  let there: string[] | undefined;
  try {
    there = await readdir(home);
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return [];
  }
  const possible = inHomes.filter((name) => there?.includes(name.split('/')[0] ?? '') ?? true);
  return possible.map((name) => join(home, name));
}

async function namesIn({ folder, name }: typeof sshHostKeys): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.filter((each) => name.test(each)).map((each) => join(folder, each));
}

// Follows a link: its target must be hidden.
async function look(named: string): Promise<HiddenPath[]> {
  try {
    const path = await realpath(named);
    return [{ path, kind: (await lstat(path)).isDirectory() ? 'folder' : 'file' }];
  } catch {
    return [];
  }
}
