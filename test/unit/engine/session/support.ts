import { resolveOptions } from '../../../../src/detect/session/options';
import { Session, type SessionOptions } from '../../../../src/engine/session/session';

/** A followed session with balanced limits. `more`: what the test is about. */
export function sessionWith(more: Partial<SessionOptions> = {}): Session {
  return new Session({
    agent: 'generic',
    agentName: 'Agent',
    session: 's',
    file: '/t.jsonl',
    showsRunningTool: true,
    detectors: resolveOptions({ preset: 'balanced', detectors: {} }),
    isHistory: () => false,
    live: true,
    onIncident: () => {},
    ...more,
  });
}
