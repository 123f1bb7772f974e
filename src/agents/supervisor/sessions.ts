import { markSupervised, supervisorOf, unmarkSupervised } from '../inbox';
import type { Channel } from './channel';
import type { SuperviseOptions } from './options';

/** The sessions whose messages this supervisor obeys. They are reported to the person, and marked in their inboxes for windows. */
export class ObeyedSessions {
  private announced = '';
  private readonly marked = new Set<string>();

  constructor(private readonly options: Pick<SuperviseOptions, 'folder' | 'probe' | 'report'>) {}

  /** Reports new sessions: the newest of a loop, all of a server. */
  announce(channel: Channel): void {
    const found = channel.sessions();
    const sessions = (channel.isLoop?.() === true ? found.slice(-1) : found).join(', ');
    if (sessions === '' || sessions === this.announced) return;
    this.announced = sessions;
    this.options.report({ event: 'session', message: `Takes the messages of session ${sessions}.`, session: sessions });
  }

  /** Removes the mark from sessions whose messages are no longer taken. */
  async unmarkOthers(sessions: readonly string[]): Promise<void> {
    for (const session of this.marked) {
      if (sessions.includes(session)) continue;
      this.marked.delete(session);
      await unmarkSupervised(this.options.folder, session, process.pid);
    }
  }

  /** Marks a session for windows: it can be started again without a terminal. */
  async mark(session: string): Promise<void> {
    if (this.marked.has(session)) return;
    this.marked.add(session);
    const { folder, probe, report } = this.options;
    const other = supervisorOf(folder, session, probe);
    if (other !== null && other.pid !== process.pid)
      report({
        event: 'refused',
        message: `Process ${other.pid} supervises this session too.`,
        session,
        reason: 'two',
      });
    const marked = await markSupervised(folder, session, {
      pid: process.pid,
      start: probe.processStart(process.pid) ?? '',
    });
    if (!marked.ok) report({ event: 'refused', message: marked.error.message, session, reason: marked.error.code });
  }

  async unmarkAll(): Promise<void> {
    await this.unmarkOthers([]);
  }
}
