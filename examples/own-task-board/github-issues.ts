// Issues of GitHub as the tasks of a board. GitHub has no claim of its own, so that claims are comments: the first one that
// nobody has taken back counts.
import type { OwnTaskBoard, TaskRefusal } from '../../src/config/define-config.ts';

type Issue = { state: 'open' | 'closed' };
type Comment = { body: string };
type Settings = { repository: string; token: () => string; api?: string };

const claimed = /^Claimed by `([^`]+)`\.$/;
const givenBack = /^(?:Released|Failed) by `([^`]+)`/;

export class GitHubIssues implements OwnTaskBoard {
  readonly #settings: Settings;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  async claim(id: string, by: string): Promise<TaskRefusal> {
    const { state } = await this.#ask<Issue>('GET', id);
    if (state === 'closed') return `Issue ${id} is closed.`;
    if ((await this.#owner(id)) === undefined) await this.#say(id, `Claimed by \`${by}\`.`);
    const owner = await this.#owner(id);
    return owner === by ? undefined : `Issue ${id} is claimed by ${owner}.`;
  }

  async setStatus(
    id: string,
    { status, by = 'a person', notes = '' }: Parameters<OwnTaskBoard['setStatus']>[1],
  ): Promise<TaskRefusal> {
    if (status === 'failed') return this.#say(id, `Failed by \`${by}\`. ${notes}`.trim());
    await this.#say(id, `Completed by \`${by}\`. ${notes}`.trim());
    await this.#ask('PATCH', id, { state: 'closed' });
  }

  async release(id: string, by?: string): Promise<TaskRefusal> {
    const owner = await this.#owner(id);
    if (owner === undefined || (by !== undefined && owner !== by)) return;
    await this.#say(id, `Released by \`${owner}\`.`);
  }

  async #owner(id: string): Promise<string | undefined> {
    let owner: string | undefined;
    for (const { body } of await this.#ask<Comment[]>('GET', `${id}/comments?per_page=100`)) {
      owner ??= claimed.exec(body)?.[1];
      if (givenBack.exec(body)?.[1] === owner) owner = undefined;
    }
    return owner;
  }

  /** The same words twice are one comment: a lost attempt is made again. */
  async #say(id: string, body: string): Promise<void> {
    const comments = await this.#ask<Comment[]>('GET', `${id}/comments?per_page=100`);
    if (comments.at(-1)?.body !== body) await this.#ask('POST', `${id}/comments`, { body });
  }

  async #ask<Answer>(method: string, path: string, body?: object): Promise<Answer> {
    const { repository, token, api = 'https://api.github.com' } = this.#settings;
    const response = await fetch(`${api}/repos/${repository}/issues/${path}`, {
      method,
      headers: { accept: 'application/vnd.github+json', authorization: `Bearer ${token()}` },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`GitHub answered ${response.status} to ${method} ${path}`);
    return (await response.json()) as Answer;
  }
}
