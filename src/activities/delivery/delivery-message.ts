// One message of a session to people and programs: the document that a webhook gets (catalog/schemas/delivery.json), and from
// which every other destination makes its text. Open for further fields; a change of a field makes a new version.
import type { DeliveryPoint } from '@holdfast/vocabulary/deliver';
import type { AlertLink } from '@holdfast/vocabulary/session-alert';
import type { ReportRef, RunCause, RunStatus } from '@holdfast/vocabulary/run-result';

export type DeliveryMessage = {
  /** Version of this document. */
  version: 1;
  /** Names the message: every attempt and every repeat has the same id. */
  id: string;
  /** Reason for the message: a run begins, a person is asked, or a run has ended. */
  point: DeliveryPoint;
  /** Time of the point: ISO 8601, UTC. */
  at: string;
  /** The session and its run. */
  session: {
    /** Id of the session. */
    id: string;
    /** Id of the run. */
    runId: string;
    /** Name for people: that of the start, else the agent's. */
    name: string;
    /** First words of the task. */
    task: string;
    /** For a headline: the name from the start, such as the title of an alert, else the task. */
    subject: string;
    /** Labels from the start, such as those of an alert. */
    labels: Record<string, string>;
    /** Address in the Temporal UI, if the worker knows it. */
    url?: string;
    /** The alert that the session is about. */
    alert?: {
      /** Name of the alert, or of its group. */
      name: string;
      /** Its severity, such as critical. */
      severity?: string;
      /** The start of its first alert: ISO 8601, UTC. */
      since?: string;
      /** Its runbook, its panel, the alert itself at its sender. */
      links: AlertLink[];
    };
  };
  /** Set at the point `question`. */
  question?: {
    /** Id of the call, to answer with. */
    id: string;
    /** `approval`: a call waits for approval. `question`: the agent wants an answer. */
    kind: 'approval' | 'question';
    /** Names of the destinations that were asked. */
    asked: string[];
    /** The call as it would run, on one line, with its secrets masked; or the question. At most 2 KiB. */
    text: string;
    /** The call on one line, as lists show it. */
    summary?: string;
    /** The words of the agent beside the call. */
    said?: string;
    /** The first lines of what the tool shows of the call: a diff, the state of now, the way to undo it. */
    preview?: string;
    /** `text` is not all of it: the command `answer` shows it whole. */
    isCut?: true;
    /** Host on which the call would run. */
    host?: string;
    /** The reason for asking. */
    reason?: string;
    /** Suggested answers; any other text is accepted, too. */
    options?: string[];
    /** The subagent that asks. */
    subagent?: string;
    /** End of the wait: ISO 8601, UTC. Then a call does not run, and an agent gets no answer. */
    deadline: string;
    /** Commands of a person with access to the server: one a line. */
    answer: string[];
  };
  /** Set at the point `end`. */
  end?: {
    /** The way the run ended. */
    status: RunStatus;
    /** The cause of the end, if the status alone does not tell it. */
    cause?: RunCause;
    /** False unless the run completed, and with the report that its start demands. */
    succeeded: boolean;
    /** The end in a sentence. */
    words: string;
    /** The state of affairs, in the words of code, such as `Cause found, NOT fixed (change denied by kim)`. Absent without a report. */
    heading?: string;
    /** The heading with the cause, or with the subject of the session where none is named. */
    headline?: string;
    /** Certainty of the finding, after checks by code. Absent without a report of the agent. */
    grade?: ReportRef['grade'];
    /** The agent has looked and found nothing wrong: the grade is of that. */
    noFault?: true;
    /** Summary of the report; without a report of the agent, the beginning of the last answer. */
    summary: string;
    /** The cause that the report names. */
    rootCause?: {
      /** The part that is at fault. */
      component: string;
      /** The kind of the fault, such as configuration. */
      kind: string;
      /** The cause in a sentence or two. */
      text: string;
    };
    /** Who is affected, since when, and how badly. */
    impact?: {
      /** The people or services that are affected. */
      who: string;
      /** The beginning, in the words of the report. */
      since: string;
      /** The severity, in the words of the report. */
      severity: string;
      /** The end: `yes` while it goes on. */
      ongoing: 'yes' | 'no' | 'unknown';
    };
    /** Calls that may have changed something, and refusals; oldest first, the newest five. */
    actions: {
      /** Time of its result: ISO 8601, UTC. */
      at: string;
      /** The call on one line. */
      call: string;
      /** The outcome, who decided, and the reason given, such as `Refused, denied by kim ("not at noon")`. */
      outcome: string;
      /** The state before it, where its tool reads that. */
      before?: string;
      /** The state after it. */
      after?: string;
      /** The way to undo it. */
      undo?: string;
    }[];
    /** Things that the report says it does not know; at most three. */
    gaps: string[];
    /** Recommendations of the report, most important first; at most 5. */
    nextSteps: string[];
    /** The check of the report's quotes against the stored outputs. */
    quotes?: {
      /** Number of quotes in the report. */
      given: number;
      /** Number of them that were found. */
      found: number;
    };
    /** Cost in USD, without the cost of models that have no known price. */
    costUsd: number;
    /** The main model has no known price: ignore `costUsd`. */
    costUnknown?: true;
    /** Duration of the run in ms. */
    durationMs: number;
    /** Replies of the model. */
    turns: number;
    /** Calls of all tools. */
    toolCalls: number;
    /** Command that prints the whole report; absent without one. */
    report?: string;
  };
};
