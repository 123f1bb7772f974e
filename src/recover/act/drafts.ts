import { draftNudge } from '../drafts/draft';
import { planOutlook } from '../decisions/plan-items';
import { leaveItText, type PromptMode, restartPrompt } from '../drafts/restart-prompt';
import type { Cases } from './cases';
import type { Case } from './ports';

/** Drafts the texts of one incident from everything that is known of it. */
export class Drafts {
  constructor(private readonly cases: Cases) {}

  nudge({ incident, view }: Case, automatic: boolean, now: number, split = false): string {
    const smaller = split ? planOutlook(view.plan).smaller : null;
    const before = this.cases.before(incident);
    return draftNudge(incident, {
      automatic,
      now,
      otherItems: this.cases.otherItems(view),
      related: this.cases.related(incident.session),
      ...(smaller && { smallerStep: smaller.title }),
      ...(before && { before }),
    });
  }

  prompt({ incident, view }: Case, mode: PromptMode, automatic: boolean, now: number, checkpoint?: string): string {
    return restartPrompt(incident, {
      mode,
      automatic,
      now,
      task: this.cases.task(view),
      progress: this.cases.progress(view, incident),
      related: this.cases.related(incident.session),
      otherItems: this.cases.otherItems(view),
      ...(checkpoint !== undefined && { checkpoint }),
    });
  }

  leaveIt({ incident, view }: Case, who: Parameters<typeof leaveItText>[1], automatic: boolean, now: number): string {
    return leaveItText(incident, who, { automatic, now, otherItems: this.cases.otherItems(view) });
  }
}
