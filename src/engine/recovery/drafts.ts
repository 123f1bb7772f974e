import type { Incident } from '../../model';
import { avoidList } from '../../recover/approaches';
import { blockText } from '../../recover/block-call';
import { draftNudge } from '../../recover/draft';
import { planOutlook } from '../../recover/plan-items';
import { handedOverText, type PromptMode, restartPrompt, stopText } from '../../recover/restart-prompt';
import type { Casebook } from './casebook';
import type { Case } from './ports';

/** The texts of one incident, drafted from everything that is known of it. */
export class Drafts {
  constructor(private readonly casebook: Casebook) {}

  nudge({ incident, view }: Case, automatic: boolean, now: number, split = false): string {
    const smaller = split ? planOutlook(view.plan).smaller : null;
    return draftNudge(incident, {
      automatic,
      now,
      otherItems: this.casebook.otherItems(view),
      related: this.casebook.related(incident.session),
      ...(smaller && { smallerStep: smaller.title }),
    });
  }

  prompt({ incident, view }: Case, mode: PromptMode, automatic: boolean, now: number, checkpoint?: string): string {
    return restartPrompt(incident, {
      mode,
      automatic,
      now,
      task: this.casebook.task(view),
      progress: this.casebook.progress(view, incident),
      related: this.casebook.related(incident.session),
      otherItems: this.casebook.otherItems(view),
      ...(checkpoint !== undefined && { checkpoint }),
    });
  }

  handedOver({ incident, view }: Case, automatic: boolean, now: number): string {
    return handedOverText(incident, { automatic, now, otherItems: this.casebook.otherItems(view) });
  }

  block({ incident }: Case, automatic: boolean): string {
    return blockText(incident, automatic);
  }

  stop({ incident }: Case, automatic: boolean): string {
    return stopText(incident, automatic);
  }

  avoid(incident: Incident): readonly string[] {
    return avoidList(incident);
  }
}
