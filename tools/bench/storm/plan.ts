// The messages of an alert storm: who sends what, when. Pure: the same sizes give the same storm.

export type StormSizes = {
  /** Messages of one alert each. */
  alerts: number;
  groups: number;
  /** Time in which they are sent, in ms. */
  overMs: number;
};

export type StormMessage = {
  /** Since the beginning, in ms. */
  at: number;
  body: string;
  /** The id of its record, `<fingerprint>@<start>`; undefined for a body that cannot be read. */
  id?: string;
};

/** Of a hundred messages of a group: so many are a repeat, an end, or broken; the rest are new alerts. */
const share = { repeat: 30, end: 15, broken: 3 };

export function planStorm({ alerts, groups, overMs }: StormSizes, startsAt: number): StormMessage[] {
  const open = Array.from({ length: groups }, () => [] as string[]);
  return Array.from({ length: alerts }, (_, at): StormMessage => {
    const group = at % groups;
    const known = open[group] ?? [];
    const turn = (Math.floor(at / groups) * 37 + group * 11) % 100;
    const sendAt = Math.round((at * overMs) / alerts);
    const message = (fingerprint: string, status: 'firing' | 'resolved'): StormMessage => ({
      at: sendAt,
      body: bodyOf({ group, fingerprint, status, startsAt }),
      id: `${fingerprint}@${startsAt}`,
    });
    const [first] = known;
    // the first alert of a group fires on, so that the group has something to look into
    if (first === undefined) {
      known.push(`a${at}`);
      return message(`a${at}`, 'firing');
    }
    if (turn < share.broken) return { at: sendAt, body: message(first, 'firing').body.slice(0, -40) };
    if (turn < share.broken + share.repeat) return message(known[turn % known.length] ?? first, 'firing');
    const last = known.at(-1);
    if (turn < share.broken + share.repeat + share.end && last !== undefined && known.length > 1) {
      known.pop();
      return message(last, 'resolved');
    }
    known.push(`a${at}`);
    return message(`a${at}`, 'firing');
  });
}

type Sent = { group: number; fingerprint: string; status: 'firing' | 'resolved'; startsAt: number };

/** As Alertmanager 0.25 sends it. */
function bodyOf({ group, fingerprint, status, startsAt }: Sent): string {
  const groupLabels = { alertname: 'HighErrorRate', instance: `node-${group}` };
  const labels = { ...groupLabels, path: `/${fingerprint}`, severity: 'warning' };
  const annotations = { summary: 'Many requests fail.' };
  return JSON.stringify({
    receiver: 'holdfast',
    status,
    alerts: [
      {
        status,
        labels,
        annotations,
        startsAt: new Date(startsAt).toISOString(),
        endsAt: status === 'resolved' ? new Date(startsAt + 60_000).toISOString() : '0001-01-01T00:00:00Z',
        generatorURL: '',
        fingerprint,
      },
    ],
    groupLabels,
    commonLabels: labels,
    commonAnnotations: annotations,
    externalURL: '',
    version: '4',
    groupKey: `{}:{alertname="HighErrorRate", instance="node-${group}"}`,
    truncatedAlerts: 0,
  });
}
