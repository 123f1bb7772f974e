import type { AgentView } from '../../core/model';
import { type StatusCommand, TOOLTIP_AGENTS, andMore } from '../../core/words';
import { lineOf, lookOf } from '../trees/row-words';
import { type HoverLine, StatusItem } from '../voice';
import type { Status } from './status';

const COMMANDS: Readonly<Record<StatusCommand, string>> = {
  show_next: 'unstuck.showEvidence',
  show_recovering: 'unstuck.showEvidence',
  show_agents: 'unstuck.agents.focus',
  manage_trust: 'workbench.trust.manage',
  resume: 'unstuck.resume',
};

type PlaceName = (view: AgentView) => string;

/** The one status bar item. */
export class StatusBar {
  private readonly item = new StatusItem('unstuck.status', 'Unstuck');

  /**
   * @param now milliseconds since the epoch
   * @param placeName where an agent works, as far as that distinguishes it from the others
   */
  show({ item, session, running }: Status, now: number, placeName: PlaceName = () => ''): void {
    if (!item) return this.item.hide();
    const { icon, text, label, background, tooltip, command } = item;
    this.item.show({
      icon,
      text,
      label,
      isWarning: background === 'warning',
      hover: hover(tooltip, running, now, placeName),
      command: { command: COMMANDS[command], arguments: session === undefined ? [] : [session] },
    });
  }

  dispose(): void {
    this.item.dispose();
  }
}

function hover(
  firstLine: string,
  running: readonly AgentView[],
  now: number,
  placeName: PlaceName,
): readonly HoverLine[] {
  const agents = running.slice(0, TOOLTIP_AGENTS).map((view) => ({
    icon: lookOf(view, now).icon,
    text: [lineOf(view, now), placeName(view)].filter((part) => part !== '').join(' · '),
  }));
  return [{ text: firstLine }, ...agents, { text: andMore(running.length) }];
}
