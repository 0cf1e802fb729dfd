// holdfast schedule: sessions that start by themselves, at the times of a Temporal schedule.
import { Option } from 'commander';
import type { NewSchedule, Schedule, ScheduleState } from '../../client.ts';
import { checkSessionStart } from '../../client/start-session.ts';
import { defined } from '@holdfast/base/defined';
import { readTime } from '@holdfast/base/time-text';
import type { SessionInput } from '@holdfast/vocabulary/session-input';
import { endOfDay, overlapPolicies, slotSessionId } from '../../core/schedules/schedule.ts';
import type { OverlapPolicy, ScheduleTimes } from '../../core/schedules/schedule.ts';
import { currentActor } from '../approvals/ask-approval.ts';
import {
  name as aName,
  duration,
  severalNames,
  readStartInput,
  readWords,
  scheduleName,
  someWords,
  timeZone,
} from '../arguments.ts';
import type { Cli } from '../cli.ts';
import type { CliCommand } from '../cli-command.ts';
import { typed } from '../../config/command-line.ts';
import { describeNextSlot, describeSchedule, scheduleRow } from '../render/describe-schedule.ts';
import { type ServerCommand, withServer } from '../server-access.ts';
import type { Config } from '../../config/config.ts';
import { sayNoWorker } from '../start-and-follow.ts';
import { UserError } from '../../common/user-error.ts';
import { withParts } from '../with-parts.ts';

const example = `schedule create morning --cron '0 7 * * 1-5' --time-zone Europe/Berlin "compare the error rates with those of yesterday"`;

export function registerSchedule(program: CliCommand): void {
  const schedule = program.command('schedule').examples([example, 'schedule list', 'schedule show morning']);
  registerCreate(schedule);
  schedule
    .command('list')
    .description('list the schedules: next slot, last session, and what is paused')
    .examples(['schedule list', 'schedule list --json'])
    .onServer(list, { config: 'keys' });
  for (const { name, about, example: shown, work } of scheduleCommands) {
    const command = schedule
      .command(name)
      .description(about)
      .argument('<name>', 'name of the schedule', scheduleName)
      .examples([shown]);
    if (name === 'pause') command.option('--reason <words>', 'for people; shown in the list', someWords);
    const onSchedule = (frame: ServerCommand, of: string, options: { reason?: string }) =>
      work(frame.access.client.schedule(of), frame, options);
    command.onServer(onSchedule, { config: 'keys' });
  }
}

type CreateOptions = {
  cron?: string;
  every?: number;
  offset?: number;
  timeZone: string;
  jitter?: number;
  overlap: OverlapPolicy;
  catchUp?: number;
  until?: string;
  agent?: string;
  deliver?: string[];
  input?: string;
  paused?: boolean;
  replace?: boolean;
};

const createNotes = `The id of a session is the name of its schedule with the time of its slot. A session without a report of its agent counts as
failed, unless the start input has needsReport: false.`;

function registerCreate(schedule: CliCommand): void {
  schedule
    .command('create')
    .description('make a schedule')
    .argument('<name>', 'name of the schedule', scheduleName)
    .argument('[words...]', 'the task of every session; "-" reads standard input')
    .option('--cron <expression>', 'minute, hour, day of month, month and day of week', someWords)
    .option('--every <time>', 'interval such as 15m or 6h, in whole seconds', duration)
    .option('--offset <time>', 'with --every: so much later', duration)
    .option('--time-zone <name>', 'IANA name of the zone of --cron and --until', timeZone, 'UTC')
    .option('--jitter <time>', 'start later by a random time up to this', duration)
    .addOption(
      new Option('--overlap <policy>', 'where the last session still runs')
        .choices(overlapPolicies)
        .default('skip'),
    )
    .option(
      '--catch-up <time>',
      'make up for slots that the server missed, if no older; default 1h',
      duration,
    )
    .option('--until <day>', 'its last day, or a time such as 2026-12-31T18:00:00Z', aName)
    .option('--agent <name>', 'agent spec; default investigator', aName)
    .option('--deliver <destination>', 'where questions and reports go; may be repeated', severalNames)
    .option('--input <file>', 'start input as JSON (see "holdfast schema input"); options override it', aName)
    .option('--paused', 'start nothing until it is resumed')
    .option('--replace', 'replace the schedule of this name')
    .examples(
      [
        example,
        'schedule create disks --every 6h --jitter 5m --until 2026-12-31 --agent triage "is any disk filling up?"',
      ],
      createNotes,
    )
    .action(async (name: string, words: string[], options: CreateOptions, command: CliCommand) => {
      const plan = await toPlan(command.cli, words, options);
      // before a server is started for it
      checkSessionStart(plan.input, { sessionId: slotSessionId(name, 0) });
      const { replace = false } = options;
      const create = async (frame: ServerCommand): Promise<void> => {
        show(frame)(await frame.access.client.schedule(name).create(plan, { replace }));
        await sayNoWorker(frame);
      };
      await withServer(command, create, {
        create: true,
        config: 'whole',
        check: (config) => checkNames(config, plan.input),
      });
    });
}

/** A slot would fail hours later. A folder without a config knows no worker's names. */
async function checkNames(config: Config, input: SessionInput): Promise<undefined> {
  if (config.configFile === undefined) return;
  await withParts(config, (parts) => parts.checkNames(input));
}

async function toPlan(cli: Cli, words: string[], options: CreateOptions): Promise<NewSchedule> {
  const { timeZone: zone, jitter, overlap, catchUp, until, agent, deliver, paused } = options;
  const base: SessionInput = options.input === undefined ? {} : await readStartInput(cli, options.input);
  const prompt =
    words.length > 0 || base.prompt === undefined ? await readWords(cli, words, 'The task') : undefined;
  return {
    times: toTimes(options),
    timeZone: zone,
    overlap,
    ...defined({ jitterMs: jitter, catchUpMs: catchUp, paused }),
    ...defined({ until: until === undefined ? undefined : toEnd(until, zone) }),
    input: { ...base, ...defined({ prompt, agent, deliver: deliver?.map((to) => ({ to })) }) },
  };
}

function toTimes({ cron, every, offset }: CreateOptions): ScheduleTimes {
  if (cron !== undefined && every === undefined && offset === undefined) return { cron };
  if (every !== undefined && cron === undefined) return { everyMs: every, ...defined({ offsetMs: offset }) };
  throw new UserError(
    'A schedule has --cron "0 7 * * 1-5", or --every 6h with an --offset if need be: expected one of the two.',
  );
}

function toEnd(text: string, zone: string): number {
  const end = endOfDay(text, zone) ?? readTime(text, Date.now());
  if (end !== undefined) return end;
  throw new UserError(
    `--until is "${text}": expected a day such as 2026-12-31, or a time with its zone such as 2026-12-31T18:00:00Z.`,
  );
}

async function list({ access, output }: ServerCommand): Promise<void> {
  const found = await access.client.schedules();
  found.forEach(output.emit);
  const now = Date.now();
  const rows = found.map((each) => scheduleRow(each, output.colors, now));
  output.print(rows.join('\n') || `No schedules. "${typed('schedule create')}" makes one.`);
}

type ScheduleCommand = {
  name: string;
  about: string;
  example: string;
  work(made: Schedule, frame: ServerCommand, options: { reason?: string }): Promise<void>;
};

const scheduleCommands: readonly ScheduleCommand[] = [
  {
    name: 'show',
    about: 'show a schedule: its next slots, and its last sessions',
    example: 'schedule show morning',
    work: (made, frame) => made.describe().then(show(frame)),
  },
  {
    name: 'pause',
    about: 'let a schedule start nothing',
    example: 'schedule pause morning --reason "the shop is closed until Monday"',
    async work(made, { output }, { reason }) {
      const { name } = made;
      const who = currentActor();
      const note = reason === undefined ? `by ${who}` : `${reason} (${who})`;
      await made.pause(note);
      output.emit({ name, paused: note });
      output.print(`Schedule ${name} is paused. "${typed(`schedule resume ${name}`)}" lets it go on.`);
    },
  },
  {
    name: 'resume',
    about: 'let a paused schedule go on; what it missed meanwhile is not made up for',
    example: 'schedule resume morning',
    async work(made, { output }) {
      const { name } = made;
      await made.resume();
      const state = await made.describe({ runs: 0 });
      output.emit({ name, resumed: true, next: state.next });
      output.print(`Schedule ${name} goes on: ${describeNextSlot(state, Date.now())}.`);
    },
  },
  {
    name: 'run',
    about: 'start a session of a schedule now, paused or not',
    example: 'schedule run morning',
    async work(made, { access, output }) {
      const { sessionId, begun } = await made.run();
      output.emit({ name: made.name, sessionId, begun });
      const watch = `"${typed(`watch ${sessionId}`)}" follows it`;
      output.print(
        begun
          ? `Started ${sessionId}. ${watch}.`
          : `${sessionId} starts when the last session has ended; then ${watch}.`,
      );
      await sayNoWorker({ access, output });
    },
  },
  {
    name: 'rm',
    about: 'remove a schedule; its sessions stay',
    example: 'schedule rm morning',
    async work(made, { output }) {
      const { name } = made;
      await made.remove();
      output.emit({ name, removed: true });
      output.print(`Schedule ${name} is removed. Its sessions stay.`);
    },
  },
];

function show({ output }: ServerCommand): (state: ScheduleState) => void {
  return (state) => {
    output.emit(state);
    output.print(describeSchedule(state, output.colors, Date.now()));
  };
}
