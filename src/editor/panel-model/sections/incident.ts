import { attemptsOf, type Incident, type Sample } from '../../../core/model';
import { signsInLine } from '../../../base/util/showable';
import type { IncidentFacts } from '../../../core/words';
import { withCode } from '../../../core/words/parts';
import type { PanelIncident, PanelSample } from '../snapshot';

/** Picks the fields of the shown incident. */
export function panelIncident(incident: Incident): PanelIncident {
  const sample = (name: 'first' | 'last', from: Sample | undefined) => (from ? { [name]: sampleOf(from) } : {});
  return {
    id: incident.id,
    detector: incident.detector,
    rule: incident.rule,
    level: incident.level,
    certainty: incident.certainty,
    state: incident.state,
    outcome: incident.outcome,
    cleared: incident.cleared,
    count: incident.count,
    firstAt: incident.firstAt,
    resolvedAt: incident.resolvedAt,
    subject: incident.subject,
    why: withCode(incident.why),
    clears: incident.clears.map((clause) => withCode(clause)),
    evidence: incident.evidence.map((row) => ({
      ...row.source,
      role: row.role,
      at: row.at,
      subject: row.subject,
      text: row.text + savedIn(incident, row.end?.line),
      ...(row.step !== undefined && { step: row.step }),
      ...(row.letter !== undefined && { letter: row.letter }),
    })),
    ...sample('first', incident.firstSample),
    ...sample('last', incident.lastSample),
  };
}

/** Names the file in which the text of an oversized result was saved. */
function savedIn(incident: Incident, line: number | undefined): string {
  const file = incident.spills?.find((one) => one.line === line)?.file;
  return file === undefined ? '' : `, saved for a day in ${file}`;
}

function sampleOf(sample: Sample): PanelSample {
  return { ...sample.source, at: sample.at, text: sample.text, ignored: sample.ignored };
}

/** Picks the fields of an incident that is only listed. */
export function incidentFacts(incident: Incident): IncidentFacts {
  return {
    state: incident.state,
    level: incident.level,
    detector: incident.detector,
    rule: incident.rule,
    subject: signsInLine(incident.subject),
    count: incident.count,
    firstAt: incident.firstAt,
    resolvedAt: incident.resolvedAt,
    cleared: incident.cleared,
    outcome: incident.outcome,
    attempts: attemptsOf(incident),
  };
}
