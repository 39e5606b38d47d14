"""How long a message of a lecture is on its way to the pages that follow: `python bench/lecture.py [PAGES]`.

A server of its own, and PAGES connections (200) that read as an EventSource does.
"""

import asyncio
import json
import statistics
import subprocess
import sys
import time
import urllib.request
from urllib.parse import urlsplit

MESSAGES, EVERY, SIZE = 20, 0.2, 20_000  # messages; seconds between two; characters of each


async def follow(address, name, late):
    """Read a lecture; the delays of its messages in seconds are added to `late`."""
    where = urlsplit(address)
    reader, writer = await asyncio.open_connection(where.hostname, where.port, limit=1 << 20)
    writer.write(f"GET /lecture/{name} HTTP/1.1\r\nHost: {where.netloc}\r\n\r\n".encode())
    count = 0
    while count < MESSAGES:
        line = await reader.readline()
        if line.startswith(b"data: "):
            late.append(time.perf_counter() - json.loads(line[6:])["sent"])
            count += 1
    writer.close()


def send(address, slot, text):
    url = f"{address}lecture?key=bench&slot={slot}"
    return urllib.request.urlopen(urllib.request.Request(url, text.encode(), method="POST")).read().decode()


async def measure(address, pages):
    name = await asyncio.to_thread(send, address, "0", json.dumps({"sent": time.perf_counter()}))
    late = []
    readers = [asyncio.create_task(follow(address, name, late)) for _ in range(pages)]
    while len(late) < pages:
        await asyncio.sleep(0.05)
    late.clear()
    for number in range(1, MESSAGES):
        text = json.dumps({"sent": time.perf_counter(), "text": "." * SIZE})
        await asyncio.to_thread(send, address, f"{number % 12}", text)
        await asyncio.sleep(EVERY)
    await asyncio.gather(*readers)
    middle, last = statistics.median(late), max(late)
    words = f"{pages} pages, {MESSAGES - 1} messages of {SIZE:,} characters"
    print(f"{words}: {middle * 1000:.0f} ms, at most {last * 1000:.0f} ms")


def main():
    pages = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    command = [sys.executable, "-m", "c4mcts", "web", "--no-browser", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            asyncio.run(measure(server.stdout.readline().split()[2], pages))
        finally:
            server.terminate()


if __name__ == "__main__":
    main()
