// What Node has beside the language, as loosely typed as missing packages are. The browser's
// library is left out on purpose: it takes half a second to read, and its globals (`name`,
// `status`, `event`, ...) would hide misspelt variables that fail when Node runs them.
interface Console {
  [method: string]: (...values: any[]) => void;
}
declare var console: Console;
declare var process: any;
declare var global: typeof globalThis;
declare var require: any;
declare var Buffer: any;
declare type Buffer = any;
declare namespace NodeJS {
  type Timeout = any;
  type Immediate = any;
  type ProcessEnv = Record<string, string | undefined>;
  type ErrnoException = Error & { code?: string; errno?: number; path?: string; syscall?: string };
}
declare function setTimeout(callback: (...values: any[]) => void, ms?: number, ...values: any[]): any;
declare function setInterval(callback: (...values: any[]) => void, ms?: number, ...values: any[]): any;
declare function setImmediate(callback: (...values: any[]) => void, ...values: any[]): any;
declare function clearTimeout(timer: any): void;
declare function clearInterval(timer: any): void;
declare function clearImmediate(timer: any): void;
declare function queueMicrotask(callback: () => void): void;
declare function structuredClone<T>(value: T, options?: any): T;
declare function atob(data: string): string;
declare function btoa(data: string): string;
declare function fetch(input: any, init?: any): Promise<any>;
declare var performance: any;
declare var crypto: any;
declare var URL: any;
declare type URL = any;
declare var URLSearchParams: any;
declare type URLSearchParams = any;
declare var TextEncoder: any;
declare type TextEncoder = any;
declare var TextDecoder: any;
declare type TextDecoder = any;
declare var AbortController: any;
declare type AbortController = any;
declare var AbortSignal: any;
declare type AbortSignal = any;
declare var Event: any;
declare type Event = any;
declare var EventTarget: any;
declare type EventTarget = any;
declare var Blob: any;
declare type Blob = any;
declare var Headers: any;
declare type Headers = any;
declare var Request: any;
declare type Request = any;
declare var Response: any;
declare type Response = any;
interface ImportMeta {
  url: string;
  filename: string;
  dirname: string;
  main: boolean;
  resolve(specifier: string): string;
}
