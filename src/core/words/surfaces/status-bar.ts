import { counted, whole } from '../../../base/util/counts';
import { needsYouWords } from '../states/machines';

/** Facts about all agents for the status bar's single item. Numbers of agents. */
export interface StatusFacts {
  /** They wait for a permission or an answer, their recovery ended, or they died; an ended turn does not count. */
  readonly needsYou: number;
  readonly stuck: number;
  /** Of those that are stuck or whose recovery ended, the ones not yet shown in a focused window. */
  readonly unseen: number;
  /** Probably waiting for a permission, inferred from silence alone. */
  readonly probablyWaiting: number;
  readonly notMonitored: number;
  readonly recovering: number;
  /** All watched agents. */
  readonly agents: number;
  readonly restricted: boolean;
  readonly paused: boolean;
}

export type StatusCommand = 'show_next' | 'show_agents' | 'show_recovering' | 'manage_trust' | 'resume';

export interface StatusWords {
  /** Name of a codicon. */
  readonly icon: string;
  readonly text: string;
  readonly background: 'warning' | null;
  /** First line of the tooltip; empty where it only lists the agents. */
  readonly tooltip: string;
  readonly command: StatusCommand;
  readonly label: string;
}

/** Returns the text of the item, with anything that needs a person first; null to hide the item. */
export function statusItem(facts: StatusFacts): StatusWords | null {
  const watched = `${whole(facts.agents)} watched`;
  const item = (
    icon: string,
    text: string,
    tooltip: string,
    command: StatusCommand,
    says: string,
    background: StatusWords['background'] = null,
  ): StatusWords => ({
    icon,
    text,
    background,
    tooltip,
    command,
    label: says,
  });

  if (facts.needsYou + facts.stuck > 0) {
    const { needsYou, stuck } = facts;
    const short = [needsYou > 0 ? needsYouWords(needsYou) : '', stuck > 0 ? `${whole(stuck)} stuck` : ''].filter(
      Boolean,
    );
    const needs = `${counted(needsYou, 'agent needs', 'agents need')} you`;
    const are = `${counted(stuck, 'agent is', 'agents are')} stuck`;
    const words = [needsYou > 0 ? needs : '', stuck > 0 ? are : ''].filter(Boolean).join(', ');
    return item(
      needsYou > 0 ? 'bell-dot' : 'warning',
      short.join(' · '),
      words,
      'show_next',
      `Unstuck, ${words}, ${watched}`,
      facts.unseen > 0 ? 'warning' : null,
    );
  }
  if (facts.notMonitored > 0) {
    const monitored = facts.agents - facts.notMonitored;
    const share = `${whole(monitored)} of ${whole(facts.agents)}`;
    const words = `${whole(monitored)} of ${whole(facts.agents)} agents are monitored`;
    return item('eye-closed', share, words, 'show_agents', `Unstuck, ${words}`);
  }
  if (facts.recovering > 0) {
    const says = `Unstuck, ${counted(facts.recovering, 'agent')} recovering, ${watched}`;
    return item('debug-restart', `${whole(facts.recovering)} recovering`, '', 'show_recovering', says);
  }
  if (facts.restricted) {
    const words = 'Restricted mode: reading only';
    return item('lock', 'Unstuck', words, 'manage_trust', `Unstuck, ${words}`);
  }
  if (facts.paused) {
    const words = 'Watching is paused';
    return item('debug-pause', 'Paused', words, 'resume', `Unstuck, ${words}`);
  }
  if (facts.agents > 0) {
    const probably = facts.probablyWaiting;
    const agents = counted(facts.agents, 'agent');
    const results = facts.agents === 1 ? 'with new results' : 'all with new results';
    const words = `${agents}, ${probably > 0 ? `${whole(probably)} probably waiting for you` : results}`;
    return item('pulse', String(facts.agents), words, 'show_agents', `Unstuck, ${words}`);
  }
  return null;
}

/** Number of agents that the tooltip lists, one per line. */
export const TOOLTIP_AGENTS = 8;

/** Returns `and 4 more`, or nothing. */
export function andMore(all: number): string {
  return all > TOOLTIP_AGENTS ? `and ${whole(all - TOOLTIP_AGENTS)} more` : '';
}
