// What the page asks of a worker, one request at a time, and how that answers.

interface Reply {
  result?: unknown;
  fault?: string;
}

/** Asks a worker; buffers of the request that are transferred are no longer there. Stopped, it fails with why. */
export function ask<T>(worker: Worker, request: unknown, transfer: Transferable[] = [], stop?: AbortSignal): Promise<T> {
  return new Promise((done, failed) => {
    worker.onmessage = (e: MessageEvent<Reply>) => (e.data.fault ? failed(new Error(e.data.fault)) : done(e.data.result as T));
    worker.onerror = (e) => failed(new Error(e.message || "the browser does not start a worker"));
    stop?.addEventListener("abort", () => failed(stop.reason), { once: true });
    worker.postMessage(request, transfer);
  });
}

/** Makes this worker answer its requests. */
export function answer<R>(take: (request: R) => Promise<{ result?: unknown; transfer?: Transferable[] }>): void {
  const scope = self as unknown as { onmessage: (e: MessageEvent<R>) => void; postMessage(m: Reply, transfer?: Transferable[]): void };
  scope.onmessage = async (e) => {
    try {
      const { result, transfer } = await take(e.data);
      scope.postMessage({ result }, transfer);
    } catch (fault) {
      scope.postMessage({ fault: (fault as Error).message });
    }
  };
}
