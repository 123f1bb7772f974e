/** One event of a stream; the name is omitted if the protocol has none. */
export function sendEvent(response, data, name) {
  response.write(`${name ? `event: ${name}\n` : ''}data: ${JSON.stringify(data)}\n\n`);
}

export function startStream(response) {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
}

export function sendJson(response, data) {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(data));
}
