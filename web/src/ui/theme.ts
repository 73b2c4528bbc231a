import { DIALOG_TRANSITION_MS } from "@app/shared/product";
import { createTheme, type CSSVariablesResolver } from "@mantine/core";

/** Which of the colours in colours.css the library takes for its own. */
const MANTINE = {
  text: "ink",
  body: "page",
  error: "danger-text",
  anchor: "primary-text",
  placeholder: "ink-3",
  dimmed: "ink-3",
  default: "page",
  "default-hover": "hover",
  "default-color": "ink",
  "default-border": "line-strong",
  disabled: "hover",
  "disabled-color": "ink-3",
  "disabled-border": "line",
};

const variables = Object.fromEntries(
  Object.entries(MANTINE).map(([name, colour]) => [`--mantine-color-${name}`, `var(--${colour})`]),
);

export const cssVariables: CSSVariablesResolver = () => ({ variables: {}, light: variables, dark: variables });

const FONT = '"Inter Variable", system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif';
const dialogDefaults = {
  radius: "lg",
  transitionProps: { duration: DIALOG_TRANSITION_MS },
  closeButtonProps: { "aria-label": "Close" },
};

export const theme = createTheme({
  primaryColor: "teal",
  primaryShade: { light: 7, dark: 6 },
  black: "#14201f",
  colors: {
    teal: [
      "#e9f4f3",
      "#d3e8e6",
      "#a9d2cf",
      "#7bb9b5",
      "#4fa09b",
      "#2f8883",
      "#1b736f",
      "#0f5f5c",
      "#0b4d4b",
      "#073b39",
    ],
    gray: [
      "#f7f9f9",
      "#f1f4f4",
      "#eef1f1",
      "#e3e8e8",
      "#c8d0cf",
      "#a4afad",
      "#84908e",
      "#5f6b69",
      "#46514f",
      "#14201f",
    ],
    dark: [
      "#e8eeed",
      "#b9c4c2",
      "#97a3a1",
      "#6f7c7a",
      "#3d4947",
      "#273130",
      "#1d2524",
      "#131918",
      "#0e1312",
      "#0a0e0d",
    ],
    red: ["#fdeeec", "#fbd9d5", "#f2b3ac", "#ff9f94", "#e27b70", "#d85f53", "#c4382b", "#b42318", "#a11d13", "#7f160e"],
  },
  fontFamily: FONT,
  fontSizes: { xs: "12px", sm: "13px", md: "14px", lg: "16px", xl: "20px" },
  lineHeights: { xs: "16px", sm: "18px", md: "20px", lg: "24px", xl: "28px" },
  fontWeights: { regular: "400", medium: "500", semibold: "600", bold: "600" },
  headings: {
    fontFamily: FONT,
    fontWeight: "600",
    sizes: {
      h1: { fontSize: "20px", lineHeight: "28px" },
      h2: { fontSize: "14px", lineHeight: "20px" },
      h3: { fontSize: "13px", lineHeight: "18px" },
    },
  },
  spacing: { xs: "4px", sm: "8px", md: "12px", lg: "16px", xl: "24px" },
  radius: { xs: "3px", sm: "4px", md: "6px", lg: "8px", xl: "12px" },
  defaultRadius: "sm",
  shadows: {
    xs: "var(--shadow-1)",
    sm: "var(--shadow-1)",
    md: "var(--shadow-2)",
    lg: "var(--shadow-3)",
    xl: "var(--shadow-3)",
  },
  breakpoints: { xs: "30em", sm: "45em", md: "60em", lg: "68.75em", xl: "80em" },
  respectReducedMotion: true,
  cursorType: "pointer",
  focusRing: "auto",
  components: {
    Button: { defaultProps: { loaderProps: { type: "oval", size: 16 } } },
    ActionIcon: { defaultProps: { variant: "subtle", color: "gray", size: 30 } },
    Anchor: { defaultProps: { underline: "hover" } },
    Checkbox: { defaultProps: { size: "xs" } },
    Radio: { defaultProps: { size: "xs" } },
    Switch: { defaultProps: { size: "xs" } },
    Alert: { defaultProps: { radius: "md" } },
    InputWrapper: { defaultProps: { inputWrapperOrder: ["label", "description", "input", "error"] } },
    // A list opens when somebody asks for it: a dialog that begins at such a field is not covered by it.
    Autocomplete: { defaultProps: { openOnFocus: false } },
    MultiSelect: { defaultProps: { openOnFocus: false } },
    Select: { defaultProps: { openOnFocus: false } },
    Modal: { defaultProps: dialogDefaults },
    Drawer: {
      defaultProps: {
        transitionProps: { duration: DIALOG_TRANSITION_MS },
        closeButtonProps: { "aria-label": "Close" },
      },
    },
    Menu: { defaultProps: { shadow: "md", radius: "md", transitionProps: { duration: 150 }, position: "bottom-end" } },
    Tooltip: { defaultProps: { transitionProps: { duration: 150 }, withArrow: false } },
    Tabs: { defaultProps: { keepMounted: false } },
    SegmentedControl: { defaultProps: { size: "sm" } },
    Table: { defaultProps: { horizontalSpacing: "sm", verticalSpacing: 0, borderColor: "var(--line)" } },
    DataList: { defaultProps: { size: "sm", gap: "sm", labelWidth: 108 } },
    Skeleton: { defaultProps: { radius: 2 } },
  },
});
