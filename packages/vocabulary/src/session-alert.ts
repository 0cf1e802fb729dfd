// The alert that a session is about, for the people who get its messages. Plain JSON; its texts are those of the sender.

export type AlertLink = {
  /** Words for the link, such as runbook. */
  title: string;
  /** Address of a web page. */
  url: string;
};

export type SessionAlert = {
  /** Its name, such as `HighErrorRate payments-1`. */
  name: string;
  /** In the words of its sender, such as `critical`. */
  severity?: string;
  /** Start of its first alert, in ms since the epoch. */
  startsAt?: number;
  /** To its runbook, its panel, the alert itself. */
  links?: AlertLink[];
};

/** Characters, a number of links, and times: the year 1973, before which are seconds since the epoch, to the last moment of a Date. */
export const alertLimits = {
  name: 1_000,
  links: 16,
  title: 200,
  url: 2_000,
  firstTime: 100_000_000_000,
  lastTime: 8_640_000_000_000_000,
} as const;

/** Labels that the receiver of the alert adds to those of its session: for programs, and no news for people. */
export const alertLabels = { receiver: 'receiver', group: 'alertGroup' } as const;
