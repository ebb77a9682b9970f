// Shared code of the clients of both servers.

// Return the monotonic time in milliseconds; all processes of the machine share the clock.
const clock = () => Number(process.hrtime.bigint()) / 1e6;

// A seat that receives states of its table.
class Subscriber {
  // Number of the newest state, and the time at which this seat received it.
  number = -1;
  receivedAt = 0;
  waiting = null;

  // Record a received state and resolve the promise of `upTo`.
  receive(number) {
    if (number <= this.number) return;
    this.number = number;
    this.receivedAt = clock();
    if (this.waiting !== null && number >= this.waiting.number) {
      this.waiting.resolve();
      this.waiting = null;
    }
  }

  // Wait until a state with at least this number was received.
  upTo(number) {
    if (this.number >= number) return null;
    return new Promise((resolve) => {
      this.waiting = { number, resolve };
    });
  }
}

// Send a POST request with a JSON body and return the JSON answer.
async function post(url, body, headers = {}) {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

module.exports = { Subscriber, clock, post };
