// The types of ui.js, for the checker only; nothing here is served to run.
export { render, h, Fragment, createContext } from "preact";
export { useState, useEffect, useLayoutEffect, useRef, useMemo, useCallback, useContext } from "preact/hooks";
export { signal, computed, effect, batch, untracked, useSignal, useComputed, useSignalEffect } from "@preact/signals";
export type { Signal, ReadonlySignal } from "@preact/signals";
export type { ComponentChildren, VNode } from "preact";
import type { VNode } from "preact";
export function html(strings: TemplateStringsArray, ...values: any[]): VNode<any>;
