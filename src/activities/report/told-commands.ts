// Commands in the words of an agent, its recommendations and last words, that an output had before: somebody may have
// planted them there. Runs in Node; reads the store.
import { hasWord } from '@holdfast/base/whole-word';
import type { LogRecord } from '@holdfast/vocabulary/messages';
import type { RepeatedCommand } from '@holdfast/report/report';
import type { ArtifactReader } from '@holdfast/stored/artifact-names';
import type { LoggedCall } from '@holdfast/stored/logged-calls';
import { findOrigins, wordsOfPeople } from './found-instructions.ts';
import { type CallWords, wordsOfCall } from './instruction-words.ts';

const programs =
  'kubectl|oc|helm|docker|podman|systemctl|journalctl|rm|mv|dd|mkfs\\S*|chmod|chown|pkill|killall|kill(?=\\s+[-\\d])|reboot|shutdown|' +
  'curl|wget|ssh|scp|rsync|nc|psql|mysql|mongosh?|redis-cli|aws|gcloud|az|terraform|ansible\\S*|git|npm|pip3?|apt-get|apt|yum|dnf|' +
  'iptables|ufw|crontab|useradd|usermod|passwd|etcdctl|vault|consul|nomad|rabbitmqctl|kafka-\\S+|python3?|bash|sh|sed|tee';
const sql =
  'drop (?:table|database|schema|index)|delete from|truncate table|alter (?:table|system|role)|update \\S+ set|insert into|grant \\S+';
const known = new RegExp(
  String.raw`(?<![\w/.-])(?:sudo\s+)?(?:(?:${programs})(?=\s)|(?:${sql})\b)[^\n\`"”]{2,300}`,
  'gi',
);
/** A command of one's own, which no list has: in a code span, with an option. */
const ownProgram = /`([a-z][\w./-]*\s[^`\n]{0,200}?(?<=\s)--?\w[^`\n]{0,200})`/gi;
const mostCommands = 20;

/** Each once, without the sentence around it. */
export function commandsIn(text: string): string[] {
  const found = [...text.matchAll(known)].map(([command]) => command);
  const own = [...text.matchAll(ownProgram)].flatMap(([, command = '']) => command);
  const commands = [...found, ...own].map((command) => command.replace(/[.;,)]\s.*$|[.;,)\s]+$/, '').trim());
  return [...new Set(commands)].slice(0, mostCommands);
}

export type SearchPlace = { sessionId: string; artifacts: ArtifactReader; signal: AbortSignal };
type Told = { command: string; text: string; wanted: CallWords };

/** By text: its commands that are in an output, and that no person has said. */
export async function findTold(
  texts: readonly string[],
  calls: readonly LoggedCall[],
  log: readonly LogRecord[],
  place: SearchPlace,
): Promise<Map<string, RepeatedCommand[]>> {
  const said = wordsOfPeople(log);
  const told = texts.flatMap((text) =>
    commandsIn(text).flatMap((command): Told[] => {
      const wanted = wordsOfCall(asCall(command), { summaryArguments: ['command'] }, said);
      return wanted ? [{ command, text, wanted }] : [];
    }),
  );
  const found = await findOrigins(told, { ...place, earlier: calls });
  const repeated = [...found].flatMap(([{ text, command }, { source, place: at }]) =>
    hasBeginning(at.text, command) ? [{ text, repeated: { command, callId: source.id, line: at.line } }] : [],
  );
  return new Map(
    texts.map((text) => [text, repeated.flatMap((each) => (each.text === text ? [each.repeated] : []))]),
  );
}

/** Lines about the objects of a command have most of its words, and not its program with what it does. */
function hasBeginning(line: string, command: string): boolean {
  const lower = line.toLowerCase();
  const words = command
    .toLowerCase()
    .replace(/^sudo\s+/, '')
    .split(/[\s"'|;]+/, 3);
  return words.every((word) => word === '' || hasWord(lower, word));
}

function asCall(command: string): Pick<LoggedCall, 'call'> {
  return { call: { type: 'tool_call', callId: '', name: 'bash', arguments: JSON.stringify({ command }) } };
}
