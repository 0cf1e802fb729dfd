// Every command with its group and its line in the help, and the module with its arguments and options. A start loads only
// the module of the typed command.
import type { CliCommand } from './cli-command.ts';

export type CommandGroup = { about: string; commands: Readonly<Record<string, string>> };

/** The groups of `holdfast help`, by the word that names them there. Every command is in one of them. */
export const commandGroups = {
  sessions: {
    about: 'start and follow them, read what they did and found',
    commands: {
      run: 'start an investigation and follow it, with a worker here and a server if there is none',
      watch: 'follow a session live, from any terminal',
      list: 'list sessions, running ones first, then the newest',
      show: 'show the state of a session: task, cost, and what it waits for',
      result: 'show the result of a session, with its report; waits for its end',
      deliver: 'send the report of a session to its destinations again, and list what has not arrived',
      report: 'print the report of a session, as Markdown, page or JSON',
      output: 'print the stored output of a tool call, whole or around a line',
      logs: 'print what was said and done in a session',
      thoughts: 'print what the model of a session has thought',
      open: 'open a session in the Temporal UI, and print its address',
    },
  },
  talk: {
    about: 'talk to a session, change or end its work',
    commands: {
      steer: 'send a message that the agent reads between turns',
      'follow-up': 'send a message that the agent reads when it would stop',
      prompt:
        'give an idle session (run --keep-alive) its next task; with the name of an agent alone, print what the model will see of it',
      continue:
        'continue the work of an idle session (run --keep-alive) after a limit, a failure or an abort, or with the messages in its queues',
      'take-back': 'take a pinned finding of the agent back, and tell the agent',
      abort: 'end the current run and keep its findings',
      resume: 'repeat the model call after you have fixed a refused key or a quota',
      set: 'change the model, mode, tools and other settings of a session, from its next run on',
      queue: 'list the messages that wait in a session, and take them back',
      condense: 'fold the older part of an idle session into a summary',
      reset: 'let a session begin anew: without messages, with its log, settings and tools',
      end: 'close a session (run --keep-alive) after its current run',
      'extend-budget': 'add to the budget of the current work',
    },
  },
  decide: {
    about: 'approve calls, answer questions, see the rules',
    commands: {
      approvals: 'list the calls and questions that wait for a person, oldest first',
      approve: 'allow a call that waits for approval',
      deny: 'refuse a call that waits for approval',
      answer: 'answer a question of the agent',
      policy: 'show which calls run, which ask a person, and why',
    },
  },
  keep: {
    about: 'save, fork and remove sessions, clean up what is stored',
    commands: {
      fork: 'fork a session from its current state or from an earlier turn',
      checkpoint: 'save a session as a file, to continue it elsewhere or later',
      artifacts: 'look at stored outputs, logs and results, and remove old ones',
      rm: 'remove a session that has ended, with everything that was stored of it',
    },
  },
  setup: {
    about: 'set up a project, check it, try its parts',
    commands: {
      init: 'set up a project: config, a tool and an agent of your own, a test',
      config: 'check the config file',
      doctor: 'check the installation and suggest fixes',
      tools: 'list the tools of a worker of this config: effect, policy and status',
      tool: 'call one tool by hand, with policy and redaction, to try a source',
      agents: 'list the agents of this config: source, model, mode, tools, limits, and whether each can run',
      skills: 'list the skills and runbooks of this config, and what is wrong with those left out',
      dev: "run this folder's Temporal server until Ctrl-C; with --gateway a worker and a gateway too",
      completion: 'print a script that completes commands, options and session ids in a shell',
      demo: 'watch the agent investigate a real incident, in about a minute',
      help: 'print the help of a command, a group of commands, or all',
    },
  },
  team: {
    about: 'run it for a team, with alerts and times',
    commands: {
      worker: 'run sessions, with their model calls and tools, until Ctrl-C',
      gateway: 'serve alerts and programs over HTTP, until Ctrl-C',
      alerts: 'list alerts with what became of them, test and send one',
      schedule: 'sessions that start by themselves: at times of day, or at intervals',
      hosts: 'list the hosts that agents may work on, and the workers that serve them',
      board: 'task boards: the tasks of a team of agents, and who has claimed them',
      memory: 'look at what agents remember, and make them forget a piece of it',
      'codec-server': 'decrypt payloads for the Temporal UI and CLI, until Ctrl-C',
      replay: 'replay the history of a session against this version, and say where it does not fit',
      rescue: 'continue a session that no worker can go on with in a new one, with all that it has done',
    },
  },
  build: {
    about: 'use it from other programs',
    commands: {
      mcp: 'serve sessions to MCP clients on standard input and output, until the client goes',
      schema: 'print the JSON Schemas of all that a session takes and gives, for programs in any language',
      'scripted-model': "play a model script over HTTP, in OpenAI's and Anthropic's formats, until Ctrl-C",
    },
  },
} as const satisfies Record<string, CommandGroup>;

type CommandGroups = typeof commandGroups;
type CommandName = {
  [Group in keyof CommandGroups]: keyof CommandGroups[Group]['commands'];
}[keyof CommandGroups];

/** The commands that `holdfast --help` describes: to try it, to investigate, and to answer at night. */
export const firstCommands: readonly CommandName[] = [
  'demo',
  'init',
  'run',
  'watch',
  'list',
  'show',
  'report',
  'steer',
  'abort',
  'approvals',
  'approve',
  'deny',
];

type Register = (program: CliCommand) => void;

/** A function under two names registers both commands. */
export const loaders: Record<CommandName, () => Promise<Register>> = {
  run: async () => (await import('./commands/follow.ts')).registerRun,
  watch: async () => (await import('./commands/follow.ts')).registerWatch,
  list: async () => (await import('./commands/list.ts')).registerList,
  show: async () => (await import('./commands/look.ts')).registerShow,
  result: async () => (await import('./commands/look.ts')).registerResult,
  deliver: async () => (await import('./commands/deliver.ts')).registerDeliver,
  report: async () => (await import('./commands/evidence.ts')).registerReport,
  output: async () => (await import('./commands/evidence.ts')).registerOutput,
  logs: async () => (await import('./commands/logs.ts')).registerLogs,
  thoughts: async () => (await import('./commands/logs.ts')).registerThoughts,
  open: async () => (await import('./commands/open.ts')).registerOpen,
  rm: async () => (await import('./commands/remove.ts')).registerRemove,
  steer: async () => (await import('./commands/send.ts')).registerMessages,
  'follow-up': async () => (await import('./commands/send.ts')).registerMessages,
  prompt: async () => (await import('./commands/prompt.ts')).registerPrompts,
  continue: async () => (await import('./commands/prompt.ts')).registerPrompts,
  abort: async () => (await import('./commands/control.ts')).registerControls,
  resume: async () => (await import('./commands/control.ts')).registerControls,
  condense: async () => (await import('./commands/control.ts')).registerControls,
  'take-back': async () => (await import('./commands/control.ts')).registerTakeBack,
  set: async () => (await import('./commands/set.ts')).registerSet,
  queue: async () => (await import('./commands/queue.ts')).registerQueue,
  reset: async () => (await import('./commands/control.ts')).registerControls,
  end: async () => (await import('./commands/control.ts')).registerControls,
  'extend-budget': async () => (await import('./commands/control.ts')).registerExtendBudget,
  approvals: async () => (await import('./commands/approvals.ts')).registerApprovalList,
  approve: async () => (await import('./commands/answer.ts')).registerApprovals,
  deny: async () => (await import('./commands/answer.ts')).registerApprovals,
  answer: async () => (await import('./commands/answer.ts')).registerAnswer,
  policy: async () => (await import('./commands/policy.ts')).registerPolicy,
  init: async () => (await import('./commands/init.ts')).registerInit,
  config: async () => (await import('./commands/config.ts')).registerConfig,
  doctor: async () => (await import('./doctor/doctor.ts')).registerDoctor,
  tools: async () => (await import('./commands/tools.ts')).registerTools,
  tool: async () => (await import('./commands/tool.ts')).registerTool,
  agents: async () => (await import('./commands/agents.ts')).registerAgents,
  skills: async () => (await import('./commands/skills.ts')).registerSkills,
  dev: async () => (await import('./commands/serve.ts')).registerDev,
  completion: async () => (await import('./commands/completion.ts')).registerCompletion,
  demo: async () => (await import('@holdfast/demo')).registerDemo,
  help: async () => (await import('./commands/help.ts')).registerHelp,
  worker: async () => (await import('./commands/serve.ts')).registerWorker,
  gateway: async () => (await import('./commands/gateway.ts')).registerGateway,
  hosts: async () => (await import('./commands/hosts.ts')).registerHosts,
  schedule: async () => (await import('./commands/schedule.ts')).registerSchedule,
  board: async () => (await import('./commands/board.ts')).registerBoard,
  memory: async () => (await import('./commands/memory.ts')).registerMemory,
  'codec-server': async () => (await import('./commands/codec-server.ts')).registerCodecServer,
  replay: async () => (await import('./commands/replay.ts')).registerReplay,
  rescue: async () => (await import('./commands/rescue.ts')).registerRescue,
  alerts: async () => (await import('./commands/alerts.ts')).registerAlerts,
  fork: async () => (await import('./commands/from-state.ts')).registerFork,
  checkpoint: async () => (await import('./commands/from-state.ts')).registerCheckpoint,
  artifacts: async () => (await import('./commands/artifacts.ts')).registerArtifacts,
  mcp: async () => (await import('./commands/mcp.ts')).registerMcp,
  schema: async () => (await import('./commands/schema.ts')).registerSchema,
  'scripted-model': async () => (await import('./commands/scripted-model.ts')).registerScriptedModel,
};
