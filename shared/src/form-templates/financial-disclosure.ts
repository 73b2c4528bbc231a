import {
  each,
  files,
  isYes,
  line,
  lines,
  money,
  needed,
  oneOf,
  page,
  signature,
  simple,
  total,
  yesNo,
  type FormTemplate,
} from "./parts.ts";

export const FINANCIAL_DISCLOSURE: FormTemplate = {
  id: "financial_disclosure",
  name: "Financial disclosure",
  kind: "disclosure",
  about:
    "Income, homes, savings, debts and pensions, added up as they are entered. To send once both have agreed to talk about money. What is disclosed is open: it is shared in mediation and can be shown to a court.",
  content: {
    title: "Your finances",
    readers: "practice",
    pages: [
      page(
        "begin",
        "Before you begin",
        "Have payslips, bank statements and pension letters at hand. You can stop and go on later; what you entered stays.",
        [
          simple("name", "name", "Your name", { ...needed, mapTo: "client.name" }),
          oneOf(
            "work",
            "Your work",
            { employed: "Employed", self_employed: "Self-employed", both: "Both", none: "Not working now" },
            needed,
          ),
        ],
      ),
      page("income", "Income each month", "After tax, on average. Leave out what you do not receive.", [
        each("incomes", "What you receive", "Income", [
          oneOf(
            "income_kind",
            "What it is",
            {
              wages: "Wages",
              self_employment: "Self-employment",
              benefits: "Benefits or tax credits",
              pension: "A pension in payment",
              maintenance: "Maintenance",
              rent: "Rent",
              other: "Something else",
            },
            needed,
          ),
          money("income_amount", "Each month", needed),
        ]),
        total("income_total", "Income each month", "incomes.income_amount"),
      ]),
      page("spending", "Spending each month", "Estimates are fine.", [
        money("rent_or_mortgage", "Rent or mortgage"),
        money("bills", "Bills: energy, water, council tax, phone"),
        money("food", "Food and household"),
        money("travel", "Travel and car"),
        money("children_costs", "For the children"),
        money("other_costs", "Everything else"),
        total(
          "spending_total",
          "Spending each month",
          "rent_or_mortgage",
          "bills",
          "food",
          "travel",
          "children_costs",
          "other_costs",
        ),
        total("left_over", "Left over each month", "income_total", "-spending_total"),
      ]),
      page("property", "Homes and land", "", [
        each("properties", "Homes and land", "Property", [
          line("property_address", "Address", needed),
          oneOf(
            "property_owner",
            "Who owns it",
            { me: "I do", both: "Both of us", other: "The other person", else: "With somebody else" },
            needed,
          ),
          money("property_value", "What it is worth", needed),
          money("property_mortgage", "Mortgage still to pay"),
        ]),
        total("property_total", "Worth after mortgages", "properties.property_value", "-properties.property_mortgage"),
      ]),
      page(
        "savings",
        "Savings and belongings",
        "Accounts, ISAs, shares, business interests, cars, and belongings worth more than £500 each.",
        [
          each("assets", "What you have", "Item", [
            oneOf(
              "asset_kind",
              "What it is",
              {
                account: "Bank account",
                savings: "Savings or ISA",
                shares: "Shares or bonds",
                business: "A business",
                car: "A car",
                insurance: "A policy",
                other: "Something else",
              },
              needed,
            ),
            line("asset_name", "Which one"),
            oneOf("asset_owner", "Whose it is", { mine: "Mine", joint: "Both of ours" }, needed),
            money("asset_value", "What it is worth", needed),
          ]),
          total("assets_total", "Savings and belongings", "assets.asset_value"),
        ],
      ),
      page("debts_page", "Debts", "Cards, loans, overdrafts, tax owed, money borrowed from family.", [
        each("debts", "What you owe", "Debt", [
          line("debt_name", "To whom", needed),
          oneOf("debt_owner", "Whose it is", { mine: "Mine", joint: "Both of ours" }, needed),
          money("debt_amount", "How much is left", needed),
        ]),
        total("debts_total", "Debts", "debts.debt_amount"),
      ]),
      page(
        "pensions_page",
        "Pensions",
        "Ask each provider for the cash equivalent value. It can take some weeks, so ask now and add it later.",
        [
          yesNo("has_pensions", "Do you have any pensions, other than the state pension?", needed),
          each(
            "pensions",
            "Your pensions",
            "Pension",
            [
              line("pension_provider", "Provider", needed),
              money("pension_value", "Cash equivalent value", {
                help: "Leave it empty while you wait for the letter.",
              }),
            ],
            { visibleIf: isYes("has_pensions"), requiredIf: isYes("has_pensions") },
          ),
          total("pensions_total", "Pensions", "pensions.pension_value"),
        ],
      ),
      page("sum", "All together", "", [
        total(
          "total_capital",
          "Homes, savings and belongings less debts",
          "property_total",
          "assets_total",
          "-debts_total",
        ),
        lines("changes", "Will any of this change soon?", { help: "A new job, redundancy, an inheritance, a sale." }),
        files("evidence", "Payslips, statements and letters", { help: "Photographs are fine." }),
        signature(
          "signed",
          "Your signature",
          "This is a full and honest account of my finances, as far as I know.",
          needed,
        ),
      ]),
    ],
    thanks: {
      title: "Thank you",
      text: "Your mediator reads this and tells you what is still missing. Nothing is shown to anyone else before you have talked about it.",
    },
  },
};
