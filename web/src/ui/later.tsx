import { type ComponentType, type ReactNode, useLayoutEffect, useState } from "react";

/**
 * A component whose code is loaded when it is first drawn, and what stands in its place until then. React's `lazy`
 * would let that stand for 300 ms even where the code has come long before.
 */
export function later<Props extends object>(load: () => Promise<ComponentType<Props>>, until: ReactNode = null) {
  let Loaded: ComponentType<Props> | undefined;
  return function Later(props: Props): ReactNode {
    const [state, setState] = useState<{ Part: ComponentType<Props> | undefined; error?: unknown }>({ Part: Loaded });
    useLayoutEffect(() => {
      if (Loaded) return;
      load().then(
        (Part) => setState({ Part: (Loaded = Part) }),
        (error: unknown) => setState({ Part: undefined, error }),
      );
    }, []);
    if (state.error !== undefined) throw state.error;
    return state.Part ? <state.Part {...props} /> : until;
  };
}
