import type { Statistics, StatisticsRange, StatisticsRow } from '../types';
import { daysOf, weeksOf } from '../queries/periods';
import type { Sql, SqlValues } from './sql';

/**
 * Temporary tables for the figures of one range of time: filled once for all of them, in memory, and kept for the next query.
 *
 * `seen`: the sessions with an event within the range, and those with an incident that no event reports. `meant`: the incidents that count as stuck
 * there, without warnings and those that a person muted or called wrong. `ended` is when it stopped costing time. `stuck`: the sums of `meant` for
 * each session. `day`: the days that are listed, and the week of each.
 */
const TABLES = [
  `CREATE TEMP TABLE IF NOT EXISTS seen (
     number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, agent TEXT, model TEXT, first_at INTEGER, last_at INTEGER, steps INTEGER)`,
  `CREATE TEMP TABLE IF NOT EXISTS meant (
     number INTEGER PRIMARY KEY, id TEXT, session INTEGER, detector TEXT, state TEXT, active INTEGER, ending TEXT, tokens INTEGER,
     first_at INTEGER, stuck_at INTEGER, ended INTEGER)`,
  'CREATE INDEX IF NOT EXISTS temp.meant_session ON meant (session, first_at, number, ended, tokens, active, state, stuck_at)',
  'CREATE INDEX IF NOT EXISTS temp.meant_detector ON meant (detector, session, first_at, number, ended, tokens, active, state)',
  `CREATE TEMP TABLE IF NOT EXISTS stuck (
     session INTEGER PRIMARY KEY, incidents INTEGER, recovered INTEGER, over INTEGER, last_at INTEGER, time INTEGER, tokens INTEGER)`,
  'CREATE TEMP TABLE IF NOT EXISTS day (begins INTEGER PRIMARY KEY, ends INTEGER, start TEXT, week INTEGER)',
];

const STUCK = `level = 'stuck' AND stuck_at >= :since AND stuck_at < :until AND state <> 'muted' AND coalesce(ending, '') <> 'not_stuck'`;

const SEEN = [
  `INSERT INTO seen (id, agent, model, first_at, last_at, steps)
   SELECT id, agent, model, first_at, last_at, steps FROM sessions WHERE last_at >= :since AND first_at < :until`,
  `INSERT OR IGNORE INTO seen (id, agent, model, first_at, last_at)
   SELECT agent || char(10) || session, agent, model, min(first_at), max(updated_at)
   FROM incidents WHERE head = id AND ${STUCK} GROUP BY 1`,
];

const MEANT = `INSERT INTO meant
  SELECT i.rowid, i.id, seen.number, detector, state, active, ending, tokens, i.first_at, stuck_at,
         max(i.first_at, coalesce(resolved_at, CASE active WHEN 1 THEN :now ELSE updated_at END))
  FROM incidents i JOIN seen ON seen.id = i.agent || char(10) || i.session
  WHERE head = i.id AND ${STUCK}`;

/**
 * Lost time and tokens grouped by these columns: of incidents of one session at the same time, each moment counts once, and the larger number of
 * tokens. The columns are the first of an index, so that no incident has to be sorted.
 */
const LOSS = (by: string) => `overlapping AS (
    SELECT ${by}, number, first_at AS begun, ended, tokens, max(ended) OVER earlier AS covered FROM meant
    WINDOW earlier AS (PARTITION BY ${by} ORDER BY first_at, number ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
  ), islands AS (
    SELECT ${by}, tokens, max(0, ended - max(begun, coalesce(covered, begun))) AS time,
           sum(covered IS NULL OR begun >= covered) OVER (PARTITION BY ${by} ORDER BY begun, number ROWS UNBOUNDED PRECEDING) AS island
    FROM overlapping
  ), lost AS (
    SELECT ${by}, sum(time) AS time, max(tokens) AS tokens FROM islands GROUP BY ${by}, island
  )`;

const BY_SESSION = `INSERT INTO stuck
  WITH ${LOSS('session')}, losses AS (SELECT session, sum(time) AS time, sum(tokens) AS tokens FROM lost GROUP BY session)
  SELECT session, count(*), sum(state = 'recovered'), sum(NOT active), max(stuck_at), losses.time, losses.tokens
  FROM meant JOIN losses USING (session) GROUP BY session`;

/** Figures by agent and model, of which there are few. */
const BY_AGENT_AND_MODEL = `
  SELECT agent, model, count(session), count(*), sum(steps), sum(incidents), sum(time), sum(tokens), sum(recovered), sum(over), min(first_at)
  FROM seen LEFT JOIN stuck ON session = number GROUP BY agent, model`;

const BY_DETECTOR = `
  WITH ${LOSS('detector, session')}, losses AS (SELECT detector, sum(time) AS time, sum(tokens) AS tokens FROM lost GROUP BY detector)
  SELECT detector, count(DISTINCT session), (SELECT count(*) FROM seen), (SELECT sum(steps) FROM seen),
         count(*), losses.time, losses.tokens, sum(state = 'recovered'), sum(NOT active)
  FROM meant JOIN losses USING (detector) GROUP BY detector`;

const MEDIAN = `
  WITH times AS (
    SELECT ended - first_at AS time, row_number() OVER (ORDER BY ended - first_at) AS n, count(*) OVER () AS total
    FROM meant WHERE state = 'recovered')
  SELECT avg(time) FROM times WHERE n IN ((total + 1) / 2, (total + 2) / 2)`;

/** The last attempt before an incident was over is the one that freed it, or did not; earlier ones did not. */
const TRIED = `
  WITH sent AS (
    SELECT number, active, state, kind, rung, row_number() OVER (PARTITION BY number ORDER BY place DESC) = 1 AS last
    FROM meant JOIN attempts ON incident = meant.id
  ), tried AS (
    SELECT kind, rung, CASE WHEN NOT last THEN 'not' WHEN state = 'recovered' THEN 'recovered'
                            WHEN state = 'unknown' THEN 'unknown' ELSE 'not' END AS result
    FROM sent WHERE NOT active
    UNION ALL
    SELECT CASE ending WHEN 'user' THEN 'user' ELSE 'by_itself' END, NULL,
           CASE state WHEN 'recovered' THEN 'recovered' WHEN 'unknown' THEN 'unknown' ELSE 'not' END
    FROM meant WHERE NOT active AND number NOT IN (SELECT number FROM sent)
  )
  SELECT kind, rung, sum(result = 'recovered'), sum(result = 'not'), sum(result = 'unknown') FROM tried GROUP BY kind, rung`;

const WRONG = `
  WITH said AS (
    SELECT incident, data ->> '$.data.detector' AS detector, data ->> '$.data.action' AS action,
           row_number() OVER (PARTITION BY incident ORDER BY t DESC, id DESC) AS place
    FROM events WHERE type = 'Feedback' AND t >= :since AND t < :until
  ), alarms AS (
    SELECT detector, count(*) AS n FROM incidents WHERE head = id AND opened_at >= :since AND opened_at < :until GROUP BY detector
  )
  SELECT said.detector, count(*) AS wrong, coalesce(alarms.n, 0) FROM said LEFT JOIN alarms USING (detector)
  WHERE place = 1 AND action = 'not_stuck' GROUP BY said.detector ORDER BY wrong DESC, said.detector`;

/** Rereads of the few sessions that were compacted. */
const REREADS = `
  SELECT sum(data ->> '$.rereads.n'), sum(data ->> '$.rereads.of') FROM sessions
  WHERE last_at >= :since AND first_at < :until AND data LIKE '%"rereads":%'`;

/**
 * A session counts in each day between its first and its last event, and as stuck in the days in which an incident became stuck. Each session is
 * entered at the days of its beginning and its end, which are then added up: the cost does not grow with sessions times days.
 */
const BY_DAY = `
  WITH lives AS (
    SELECT first_at, max(seen.last_at, coalesce(stuck.last_at, 0)) AS ended FROM seen LEFT JOIN stuck ON session = number
  ), within AS (
    SELECT coalesce((SELECT max(begins) FROM day WHERE begins <= first_at), (SELECT min(begins) FROM day)) AS first,
           (SELECT max(begins) FROM day WHERE begins <= ended) AS last
    FROM lives WHERE ended >= (SELECT min(begins) FROM day) AND first_at < (SELECT max(ends) FROM day)
  ), begun AS (
    SELECT first AS begins, count(*) AS n FROM within GROUP BY first
  ), over AS (
    SELECT last AS begins, count(*) AS n FROM within GROUP BY last
  ), made AS (
    SELECT (SELECT max(begins) FROM day WHERE begins <= last_at AND last_at < ends) AS begins, sum(steps) AS steps FROM seen GROUP BY 1
  )
  SELECT begins, coalesce(begun.n, 0), coalesce(over.n, 0), coalesce(made.steps, 0)
  FROM day LEFT JOIN begun USING (begins) LEFT JOIN over USING (begins) LEFT JOIN made USING (begins) ORDER BY begins`;

/** Counts sessions and incidents that became stuck, by day or by week. */
const STUCK_BY = (period: 'begins' | 'week') => `
  SELECT ${period}, count(DISTINCT session), count(*)
  FROM meant JOIN day ON begins = (SELECT max(begins) FROM day WHERE begins <= stuck_at) AND stuck_at < ends GROUP BY ${period}`;

/**
 * Computes the figures of a range of time, all of them with queries.
 *
 * @param now milliseconds since the epoch
 */
export function statisticsIn(sql: Sql, range: StatisticsRange, now: number): Statistics {
  const asked = { ':since': range.since, ':until': range.until };
  const numbers = (query: string, values?: SqlValues) => [...sql.rows(query, values)];
  for (const table of TABLES) sql.run(table);
  for (const table of ['seen', 'meant', 'stuck', 'day']) sql.run(`DELETE FROM temp.${table}`);
  for (const sessions of SEEN) sql.run(sessions, asked);
  sql.run(MEANT, { ...asked, ':now': now });
  sql.run(BY_SESSION);

  const groups = numbers(BY_AGENT_AND_MODEL);
  const all = rowsOf(groups, () => 'all')[0];
  // Infinity if there is none: then no day is listed.
  const earliest = Math.min(...groups.map((row) => Number(row[10])));
  const { perDay, byWeek } = periodsOf(sql, Math.max(range.since, earliest), Math.min(range.until - 1, now));
  const median = sql.value(MEDIAN);
  const tried = numbers(TRIED);
  const [again, after] = (numbers(REREADS, asked)[0] ?? []).map(Number);

  return {
    range,
    sessions: all?.sessions ?? { n: 0, of: 0 },
    steps: all?.steps ?? 0,
    incidents: all?.incidents ?? 0,
    timeLostMs: all?.timeLostMs ?? 0,
    tokensLost: all?.tokensLost ?? 0,
    recovered: all?.recovered ?? { n: 0, of: 0 },
    medianRecoveryMs: median === null ? null : Number(median),
    perDay,
    byWeek,
    byAgent: rowsOf(groups, (row) => row[0]),
    byModel: rowsOf(groups, (row) => row[1]),
    // For figures by rule, each rule is compared with all sessions.
    byDetector: rowsOf(
      numbers(BY_DETECTOR).map(([detector, ...figures]) => [detector, null, ...figures]),
      (row) => row[0],
    ),
    whatRecovered: resultsOf(tried, 0).map(({ key, ...results }) => ({
      kind: key as Statistics['whatRecovered'][number]['kind'],
      ...results,
    })),
    byRung: resultsOf(tried, 1).map(({ key, ...results }) => ({
      rung: key as Statistics['byRung'][number]['rung'],
      ...results,
    })),
    ...(after && { rereads: { n: again ?? 0, of: after } }),
    wrong: numbers(WRONG, asked).map(([detector, n, alarms]) => ({
      detector: String(detector),
      alarms: { n: Number(n), of: Math.max(Number(n), Number(alarms)) },
    })),
  };
}

type Row = readonly unknown[];

/** Adds up groups with the same key, the one with most stuck sessions first. Groups without a key, such as an unknown model, have no row. */
function rowsOf(groups: readonly Row[], keyOf: (row: Row) => unknown): readonly StatisticsRow[] {
  const sums = new Map<string, number[]>();
  for (const row of groups) {
    const key = keyOf(row);
    if (typeof key !== 'string' || key === '') continue;
    const figures = row.slice(2, 10).map(Number);
    sums.set(key, sums.get(key)?.map((sum, index) => sum + (figures[index] ?? 0)) ?? figures);
  }
  const rows = [...sums].map(
    ([key, [n = 0, of = 0, steps = 0, incidents = 0, time = 0, tokens = 0, freed = 0, over = 0]]) => ({
      key,
      sessions: { n, of },
      steps,
      incidents,
      timeLostMs: time,
      tokensLost: tokens,
      recovered: { n: freed, of: over },
    }),
  );
  return rows.sort((a, b) => b.sessions.n - a.sessions.n || b.sessions.of - a.sessions.of || (a.key < b.key ? -1 : 1));
}

/** Sums the results of attempts by one of the first two columns, the most often helpful first. */
function resultsOf(tried: readonly Row[], column: 0 | 1) {
  const sums = new Map<string, { readonly recovered: number; readonly not: number; readonly unknown: number }>();
  for (const row of tried) {
    const key = row[column];
    if (typeof key !== 'string') continue;
    const sum = sums.get(key) ?? { recovered: 0, not: 0, unknown: 0 };
    sums.set(key, {
      recovered: sum.recovered + Number(row[2]),
      not: sum.not + Number(row[3]),
      unknown: sum.unknown + Number(row[4]),
    });
  }
  return [...sums]
    .map(([key, sum]) => ({ key, ...sum }))
    .sort((a, b) => b.recovered - a.recovered || b.not - a.not || (a.key < b.key ? -1 : 1));
}

/** @param from the first moment that is included */
function periodsOf(sql: Sql, from: number, to: number): Pick<Statistics, 'perDay' | 'byWeek'> {
  const starts = new Set(daysOf(from, to).map(({ start }) => start));
  // The first week is included whole.
  const weeks = weeksOf(from, to).map((week) => ({ ...week, days: daysOf(week.from, Math.min(week.to - 1, to)) }));
  for (const week of weeks)
    for (const day of week.days)
      sql.run('INSERT INTO day VALUES (?, ?, ?, ?)', [day.from, day.to, day.start, week.from]);
  const stuckByDay = byFirst(sql, STUCK_BY('begins'));
  const stuckByWeek = byFirst(sql, STUCK_BY('week'));
  const byDay = byFirst(sql, BY_DAY);

  let going = 0;
  const perDay = [];
  const byWeek = [];
  for (const week of weeks) {
    let of = going;
    let steps = 0;
    for (const day of week.days) {
      const [begun = 0, over = 0, made = 0] = byDay.get(day.from) ?? [];
      going += begun;
      of += begun;
      steps += made;
      const [n = 0] = stuckByDay.get(day.from) ?? [];
      if (starts.has(day.start)) perDay.push({ day: day.start, sessions: { n, of: going } });
      going -= over;
    }
    const [n = 0, incidents = 0] = stuckByWeek.get(week.from) ?? [];
    byWeek.push({ week: week.start, sessions: { n, of }, incidents, steps });
  }
  return { perDay, byWeek };
}

/** Returns the figures of each row by its first column. */
function byFirst(sql: Sql, query: string): ReadonlyMap<number, readonly number[]> {
  return new Map([...sql.rows(query)].map(([first, ...figures]) => [Number(first), figures.map(Number)]));
}
