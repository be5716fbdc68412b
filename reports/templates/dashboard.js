"use strict";
// The page works without this script: tables and failure details are plain HTML. It adds charts, filters and the theme switch.
(function () {
  const root = document.documentElement;

  function token(name) {
    return getComputedStyle(root).getPropertyValue(name).trim();
  }

  // Figures come without text and grid colours; they take those of the page, in light and in dark.
  function themed(layout) {
    const result = Object.assign({}, layout, { font: { color: token("--text"), family: "system-ui, sans-serif", size: 13 } });
    for (const axis of ["xaxis", "yaxis"]) {
      const colours = { gridcolor: token("--grid"), linecolor: token("--line"), zerolinecolor: token("--line") };
      result[axis] = Object.assign({}, layout[axis], colours);
    }
    result.hoverlabel = { bgcolor: token("--card"), bordercolor: token("--line"), font: { color: token("--text") } };
    return result;
  }

  const figures = [];

  function drawFigures() {
    if (typeof Plotly === "undefined") return;
    for (const holder of document.querySelectorAll(".plot")) {
      const figure = JSON.parse(document.getElementById(holder.dataset.figure).textContent);
      figures.push({ holder: holder, layout: figure.layout });
      Plotly.newPlot(holder, figure.data, themed(figure.layout), { responsive: true, displayModeBar: false });
    }
  }

  function recolour() {
    for (const figure of figures) Plotly.relayout(figure.holder, themed(figure.layout));
  }

  function themeSwitch() {
    const button = document.getElementById("theme");
    const dark = matchMedia("(prefers-color-scheme: dark)");
    const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : dark.matches);
    const show = () => button.setAttribute("aria-pressed", String(isDark()));
    button.hidden = false;
    show();
    button.addEventListener("click", function () {
      root.dataset.theme = isDark() ? "light" : "dark";
      show();
      recolour();
    });
    dark.addEventListener("change", function () {
      show();
      recolour();
    });
  }

  function filters() {
    const bar = document.querySelector(".filters");
    if (!bar) return;
    const text = document.getElementById("filter");
    const change = document.getElementById("change");
    const status = document.getElementById("shown");
    const rows = Array.from(document.querySelectorAll("tr[data-changes]"));
    const haystacks = rows.map((row) => row.textContent.toLowerCase());
    bar.hidden = false;

    function wanted(row) {
      const changes = row.dataset.changes.split(" ").filter(Boolean);
      if (change.value === "changed") return changes.some((one) => one !== "same");
      return !change.value || changes.includes(change.value);
    }

    function apply() {
      const words = text.value.toLowerCase().split(/\s+/).filter(Boolean);
      let shown = 0;
      rows.forEach(function (row, index) {
        const visible = wanted(row) && words.every((word) => haystacks[index].includes(word));
        row.hidden = !visible;
        if (visible) shown += 1;
      });
      status.textContent = shown + " of " + rows.length + " rows";
    }

    text.addEventListener("input", apply);
    change.addEventListener("change", apply);
    document.addEventListener("keydown", function (event) {
      const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
      if (event.key === "/" && !typing) {
        event.preventDefault();
        text.focus();
      } else if (event.key === "Escape" && event.target === text) {
        text.value = "";
        apply();
      }
    });
    apply();
  }

  // A link to a failure opens it.
  function openTarget() {
    const target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (target && target.tagName === "DETAILS") {
      target.open = true;
      target.scrollIntoView();
    }
  }

  themeSwitch();
  filters();
  window.addEventListener("hashchange", openTarget);
  openTarget();
  drawFigures();
})();
