; Definitions
(class name: (_) @name) @definition.class
(module name: (_) @name) @definition.module
(method name: (identifier) @name (#eq? @name "initialize")) @definition.constructor
(method name: (_) @name) @definition.method
(singleton_method name: (_) @name) @definition.method
(alias name: (_) @name) @definition.method
(assignment left: (constant) @name right: (call receiver: (constant) @_base method: (identifier) @_new) (#any-of? @_base "Struct" "Class" "Data") (#any-of? @_new "new" "define")) @definition.class
(assignment left: (constant) @name right: (call receiver: (constant) @_base method: (identifier) @_new) (#eq? @_base "Module") (#eq? @_new "new")) @definition.module
(assignment left: (constant) @name right: (call receiver: (_) @type method: (identifier) @_new (#eq? @_new "new"))) @definition.constant
(assignment left: [(constant) (scope_resolution)] @name) @definition.constant
(operator_assignment left: (constant) @name) @definition.constant
(call !receiver method: (identifier) @_attr arguments: (argument_list (simple_symbol) @name @definition.property) (#match? @_attr "^(attr|attr_reader|attr_writer|attr_accessor|cattr_accessor|cattr_reader|mattr_accessor|mattr_reader|class_attribute|thread_mattr_accessor|thread_cattr_accessor)$"))
(call !receiver method: (identifier) @_define arguments: (argument_list . (simple_symbol) @name) (#eq? @_define "define_method")) @definition.method
(call !receiver method: (identifier) @_alias arguments: (argument_list . (simple_symbol) @name) (#eq? @_alias "alias_method")) @definition.method
(call !receiver method: (identifier) @_scope arguments: (argument_list . (simple_symbol) @name . (lambda)) (#eq? @_scope "scope")) @definition.method
(assignment left: (instance_variable) @name right: (call receiver: [(constant) (scope_resolution)] @type method: (identifier) @_new) (#eq? @_new "new")) @definition.field

; Imports
(call !receiver method: (identifier) @_require (#match? @_require "^(require|require_relative|require_dependency|load|autoload)$")) @import

; Heritage
(superclass (constant) @reference.extends)
(superclass (scope_resolution scope: (_) @receiver name: (constant) @reference.extends))
(superclass (scope_resolution !scope name: (constant) @reference.extends))
(call !receiver method: (identifier) @_include arguments: (argument_list (constant) @reference.embeds) (#any-of? @_include "include" "extend" "prepend"))
(call !receiver method: (identifier) @_include arguments: (argument_list (scope_resolution scope: (_) @receiver name: (constant) @reference.embeds)) (#any-of? @_include "include" "extend" "prepend"))
(call !receiver method: (identifier) @_include arguments: (argument_list (scope_resolution !scope name: (constant) @reference.embeds)) (#any-of? @_include "include" "extend" "prepend"))

; Uses
(call receiver: (constant) @reference.new method: (identifier) @_new (#eq? @_new "new"))
(call receiver: (scope_resolution scope: (_) @receiver name: (constant) @reference.new) method: (identifier) @_new (#eq? @_new "new"))
(call receiver: (_) method: (identifier) @ignore (#eq? @ignore "new"))
(call receiver: _ @receiver method: [(identifier) (constant)] @reference.member-call)
(call !receiver method: [(identifier) (constant)] @reference.call)
(scope_resolution scope: (_) @receiver name: (constant) @reference.member (#match? @reference.member "^[A-Z][A-Z0-9]*(_[A-Z0-9]+)+$|^[A-Z]{3,}[0-9]*$"))
(scope_resolution scope: (_) @receiver name: (constant) @reference.type)
((constant) @reference.use (#match? @reference.use "^[A-Z][A-Z0-9]*(_[A-Z0-9]+)+$|^[A-Z]{3,}[0-9]*$"))
(constant) @reference.type
(body_statement (identifier) @reference.call)
(block_body (identifier) @reference.call)
(then (identifier) @reference.call)
(argument_list (identifier) @reference.call)
(assignment right: (identifier) @reference.call)
(identifier) @reference.use

; What binds names
[(method) (singleton_method) (lambda) (block) (do_block)] @scope
(method_parameters (identifier) @local)
(lambda_parameters (identifier) @local)
(block_parameters (identifier) @local)
(destructured_parameter (identifier) @local)
(splat_parameter name: (identifier) @local)
(hash_splat_parameter name: (identifier) @local)
(block_parameter name: (identifier) @local)
(keyword_parameter name: (identifier) @local)
(optional_parameter name: (identifier) @local)
(assignment left: (identifier) @local right: (call receiver: [(constant) (scope_resolution)] @type method: (identifier) @_new (#eq? @_new "new")))
(assignment left: (identifier) @local)
(operator_assignment left: (identifier) @local)
(left_assignment_list (identifier) @local)
(rest_assignment (identifier) @local)
(exception_variable (identifier) @local)
(for pattern: (identifier) @local)
(as_pattern name: (identifier) @local)
(keyword_pattern value: (identifier) @local)
(array_pattern (identifier) @local)
