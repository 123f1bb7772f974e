import { expect, it } from 'vitest';
import { requestErrorKind } from '../../../../../src/agents/shared/decode';

it.each([
  ['API Error: Rate limit reached for requests'],
  ['RateLimitError: litellm.RateLimitError: slow down'],
  ['rate_limit_exceeded'],
  ['You exceeded your current quota, please check your plan and billing details.'],
  ['insufficient_quota'],
  ['[RESOURCE_EXHAUSTED] try later'],
  ['{"type":"overloaded_error","message":"Overloaded"}'],
  ['429 Too Many Requests'],
  ["You've hit your usage limit. Upgrade to Pro or try again in 2 days."],
  ["You've hit your limit · resets 3pm"],
  ['5-hour limit reached ∙ resets 6pm'],
  ['usage_limit_exceeded '],
])('a refusal for too many requests, or for a plan that is used up: %s', (text) => {
  expect(requestErrorKind(text)).toBe('rate_limit');
});

it('the status says so without words', () => {
  expect(requestErrorKind('try later', 429)).toBe('rate_limit');
  expect(requestErrorKind('try later', 529)).toBe('rate_limit');
  expect(requestErrorKind('try later', 500)).toBe('api');
});

it.each([
  ['connect ETIMEDOUT 10.0.0.1:443'],
  ['Request timed out.'],
  ['APITimeoutError: the request took too long'],
  ['[DEADLINE_EXCEEDED] deadline exceeded'],
])('an answer that did not come: %s', (text) => {
  expect(requestErrorKind(text)).toBe('timeout');
});

it.each([
  ['500 Internal server error'],
  ['Connection error at port 4290'],
  ['Maximum output token limit reached'],
  ['The number of mistakes has its limit reached'],
  [`${'a long page '.repeat(200)}429`],
])('any other failure: %s', (text) => {
  expect(requestErrorKind(text)).toBe('api');
});
