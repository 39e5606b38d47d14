/** The socket: requests with their replies, as docs/guide/protocol.md says. It connects again when it is lost. */

const WAITS = [500, 1000, 2000, 5000]; // milliseconds before each new try

/** An error that the server replied with, or the loss of the connection. field: the key of the message at fault. */
export class RequestError extends Error {
  constructor(message, field = null) {
    super(message);
    this.field = field;
  }
}

export class Connection {
  #socket = null;
  #tries = 0;
  #count = 0;
  #asked = new Map(); // id -> {onReport, resolve, reject}
  #unsent = []; // texts, while there is no connection

  /**
   * open: returns a new WebSocket, or an object like one. onStatus: called with true when the connection stands, and
   * with false and a reason when it is lost.
   */
  constructor(open, onStatus) {
    this.open = open;
    this.onStatus = onStatus;
    this.#connect();
  }

  /** Send a message, without its id; resolves with the last reply. RequestError. */
  request(message) {
    return this.stream(message).done;
  }

  /**
   * Send a message; onReport gets the replies before the last one. Returns {done, stop}: done resolves with the last
   * reply; stop() ends the search, drops its reports from now on, and resolves when the server is done with it.
   */
  stream(message, onReport = () => {}) {
    const id = `${++this.#count}`;
    const asked = { onReport };
    const done = new Promise((resolve, reject) => Object.assign(asked, { resolve, reject }));
    done.catch(() => {}); // whoever waits for it is told
    this.#asked.set(id, asked);
    this.#send({ id, ...message });
    const stop = async () => {
      asked.onReport = () => {};
      if (this.#asked.has(id)) this.#send({ id: `${++this.#count}`, action: "terminate", terminateId: id });
      await done.catch(() => {});
    };
    return { done, stop };
  }

  #send(message) {
    const text = JSON.stringify(message);
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(text);
    else this.#unsent.push(text);
  }

  #connect() {
    const socket = this.open();
    this.#socket = socket;
    socket.onopen = () => {
      this.#tries = 0;
      this.#unsent.splice(0).forEach((text) => socket.send(text));
      this.onStatus(true, "");
    };
    socket.onmessage = (event) => this.#receive(JSON.parse(event.data));
    socket.onclose = (event) => this.#lose(event.reason || "The server does not answer.");
  }

  #receive(reply) {
    const asked = this.#asked.get(reply.id);
    if (!asked) return; // to a terminate, or to a query that is forgotten
    if (reply.isDuringSearch) {
      asked.onReport(reply);
      return;
    }
    this.#asked.delete(reply.id);
    if (reply.error === undefined) asked.resolve(reply);
    else asked.reject(new RequestError(reply.error, reply.field));
  }

  #lose(reason) {
    const lost = [...this.#asked.values()];
    this.#asked.clear();
    this.#unsent = [];
    this.onStatus(false, reason);
    lost.forEach((asked) => asked.reject(new RequestError("The connection to the server was lost.")));
    setTimeout(() => this.#connect(), WAITS[Math.min(this.#tries++, WAITS.length - 1)]);
  }
}
