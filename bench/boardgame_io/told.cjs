// What people of either server have in common.

// Milliseconds, the same in every process of the machine.
const clock = () => Number(process.hrtime.bigint()) / 1e6;

class Told {
  // `number` of what this seat was told last, and when.
  number = -1;
  at = 0;
  waiting = null;

  tell(number) {
    if (number <= this.number) return;
    this.number = number;
    this.at = clock();
    if (this.waiting !== null && number >= this.waiting.number) {
      this.waiting.resolve();
      this.waiting = null;
    }
  }

  upTo(number) {
    if (this.number >= number) return null;
    return new Promise((resolve) => {
      this.waiting = { number, resolve };
    });
  }
}

async function post(url, body, headers = {}) {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

module.exports = { Told, clock, post };
