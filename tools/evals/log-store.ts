// A log store over HTTP with two paths of VictoriaLogs' API: lines by fields, and their number by a field. It takes
// `field:value` filters alone. Node.
import { respond, type Route } from '../../packages/demo/src/checkout/services/service.ts';

export type LogStore = { add(line: Record<string, string>): void; routes: Record<string, Route> };

export function createLogStore(): LogStore {
  const lines: Record<string, string>[] = [];
  const find = (url: URL): Record<string, string>[] => {
    const filters = (url.searchParams.get('query') ?? '*').split(' ').filter((part) => part.includes(':'));
    return lines.filter((line) =>
      filters.every((part) => {
        const at = part.indexOf(':');
        return line[part.slice(0, at)] === part.slice(at + 1);
      }),
    );
  };
  return {
    add: (line) => void lines.push({ _time: new Date().toISOString(), ...line }),
    routes: {
      'GET /select/logsql/query': (url, response) => {
        const found = find(url).slice(0, Number(url.searchParams.get('limit') ?? 20));
        respond(response, 200, found.map((line) => `${JSON.stringify(line)}\n`).join(''));
      },
      'GET /select/logsql/field_values': (url, response) => {
        const hits = Map.groupBy(find(url), (line) => line[url.searchParams.get('field') ?? ''] ?? '');
        const values = [...hits].map(([value, of]) => `${JSON.stringify({ value, hits: of.length })}\n`);
        respond(response, 200, values.join(''));
      },
    },
  };
}
